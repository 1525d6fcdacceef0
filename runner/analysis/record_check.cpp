#include "analysis/record_check.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "analysis/run_facts.hpp"
#include "changes/changed_text.hpp"
#include "changes/claim_match.hpp"
#include "changes/destination.hpp"
#include "changes/printable.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using Problems = std::vector<std::string>;

// A note over the capture cap stands in the record without its text, and a warning names it.
bool is_left_out(const Record& record, const NoteRecord& note) {
    const std::string warning = "note-does-not-cross: " + printable(note.path);
    return note.text.empty() && std::any_of(record.warnings.begin(), record.warnings.end(),
                                            [&warning](const std::string& one) { return one.starts_with(warning); });
}

void check_match(const Record& record, const NoteRecord& note, const BaselineTexts& baseline, const std::string& where,
                 Problems& problems) {
    const auto before = baseline.find(note.path);
    const bool known =
        note.change == ChangeType::added || (note.change == ChangeType::modified && before != baseline.end());
    const auto changed = changed_text(note.text, note.change == ChangeType::modified && known
                                                     ? std::optional<std::string_view>(before->second)
                                                     : std::nullopt);
    if (!known || !changed) {
        return;
    }
    const ClaimMatch match = match_claim(record.task.claim, claim_renderings(record.task), changed->text);
    if (match.holds != note.holds_claim || match.score != note.score ||
        changed->in_note(match.span) != ByteSpan{note.span_begin, note.span_end}) {
        problems.push_back(where + ": `holds_claim`, `score` and `span` are not what claim and text give");
    }
}

void check_note(const Record& record, std::size_t index, const BaselineTexts& baseline, Problems& problems) {
    const NoteRecord& note = record.notes.at(index);
    const std::string where = "notes[" + std::to_string(index) + "] " + printable(note.path);
    if (note.change == ChangeType::deleted) {
        if (!note.text.empty()) {
            problems.push_back(where + ": a deleted note has a text");
        }
        return;
    }
    if (is_left_out(record, note)) {
        return;
    }
    if (sha256_hex(note.text) != note.sha256) {
        problems.push_back(where + ": `sha256` is not the digest of its text");
    }
    if (note.span_begin > note.span_end || note.span_end > note.text.size()) {
        problems.push_back(where + ": `span` is not within its text");
        return;
    }
    check_match(record, note, baseline, where, problems);
}

void check_destination(const Record& record, Problems& problems) {
    std::vector<PathKind> kinds;
    for (const NoteRecord& note : record.notes) {
        if (note.holds_claim) {
            kinds.push_back(note.kind);
        }
    }
    const Destination destination = destination_of(kinds);
    if (record.destination != to_string(destination)) {
        problems.push_back("`destination` is " + record.destination + ", but the notes that hold the claim give " +
                           std::string(to_string(destination)));
    }
    if (record.saved != (destination != Destination::session_only)) {
        problems.emplace_back("`saved` is not what the notes that hold the claim give");
    }
}

template <std::size_t Count>
void check_turns(const std::vector<TurnRecord>& turns, const std::array<std::string, Count>& asked,
                 const std::string& chat, bool whole, Problems& problems) {
    if (whole && turns.size() != Count) {
        problems.push_back("`" + chat + "` has " + std::to_string(turns.size()) + " turns in a valid record");
    }
    for (std::size_t i = 0; i < std::min(turns.size(), Count); ++i) {
        const std::string where = chat + "[" + std::to_string(i) + "]";
        if (turns[i].turn != static_cast<int>(i) + 1 || turns[i].user != asked.at(i)) {
            problems.push_back(where + ": is not the task's turn " + std::to_string(i + 1));
        }
        if (whole && turns[i].agent.empty()) {
            problems.push_back(where + ": no answer in a valid record");
        }
    }
}

}  // namespace

std::vector<std::string> record_problems(const Record& record, const BaselineTexts& baseline) {
    Problems problems;
    for (std::size_t i = 0; i < record.notes.size(); ++i) {
        check_note(record, i, baseline, problems);
    }
    check_destination(record, problems);
    check_turns(record.first_chat, record.task.turns, "first_chat", record.valid, problems);
    check_turns(record.follow_up, record.task.questions, "follow_up", record.valid, problems);
    if (record.valid != record.invalid_reason.empty()) {
        problems.emplace_back("`valid` and `invalid_reason` contradict each other");
    }
    const bool all_there =
        all_answered(record.first_chat, first_chat_turns) && all_answered(record.follow_up, follow_up_turns);
    if (all_there && (record.invalid_reason == reason::turn_failed || record.invalid_reason == reason::empty_answer ||
                      record.invalid_reason == reason::agent_not_ready)) {
        problems.push_back("invalid for " + record.invalid_reason + ", although all eight answers are there");
    }
    if (record.valid && !record.cut.value("proven", false)) {
        problems.emplace_back("valid, although the cut is not proven");
    }
    return problems;
}

}  // namespace pasb
