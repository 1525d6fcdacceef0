#include "rubric/blind_evidence.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/bytes.hpp"
#include "rubric/redactor.hpp"

namespace pasb {
namespace {

// Keeps the order in which members are put: a reader meets the claim before the notes, and those before the answer.
using nlohmann::ordered_json;

// The largest size up to `limit` that ends between two characters of valid UTF-8.
std::size_t character_boundary(std::string_view text, std::size_t limit) {
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80) {
        --limit;
    }
    return limit;
}

// Cuts `text` to `limit` bytes, says so in it, and returns how much went.
std::size_t cut(std::string& text, std::size_t limit) {
    if (text.size() <= limit) {
        return 0;
    }
    const std::size_t kept = character_boundary(text, limit);
    const std::size_t gone = text.size() - kept;
    text.resize(kept);
    text += "\n[... " + std::to_string(gone) + " bytes not shown]";
    return gone;
}

// The size that, given to each note as its limit, fills the budget: short notes stay whole, long ones share the rest.
std::size_t fair_limit(const std::vector<BlindNote>& notes, std::size_t budget) {
    std::vector<std::size_t> sizes(notes.size());
    std::transform(notes.begin(), notes.end(), sizes.begin(), [](const BlindNote& note) { return note.text.size(); });
    std::sort(sizes.begin(), sizes.end());
    std::size_t left = budget;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t share = left / (sizes.size() - i);
        if (sizes[i] > share) {
            return share;
        }
        left -= sizes[i];
    }
    return budget;
}

// Other durable files that the next chat reads count as memory, as they do for the destination.
std::string kind_name(PathKind kind) {
    switch (kind) {
        case PathKind::user:
            return "user profile";
        case PathKind::skill:
            return "skill";
        default:
            return "memory";
    }
}

std::vector<BlindNote> blind_notes(const Record& record, Redactor& redactor) {
    std::vector<BlindNote> notes;
    std::map<std::string, int> numbers;
    for (const NoteRecord& note : record.notes) {
        if (note.change == ChangeType::deleted) {
            continue;
        }
        const std::string kind = kind_name(note.kind);
        const int number = ++numbers[kind];
        const bool first_profile = note.kind == PathKind::user && number == 1;
        notes.push_back(
            {first_profile ? kind : kind + " " + std::to_string(number), redactor.hide(to_utf8(note.text))});
    }
    return notes;
}

BlindEvidence evidence_of(const Record& record, const std::vector<TurnRecord>& turns, const EvidenceBudget& budget) {
    Redactor redactor(record);
    BlindEvidence evidence;
    evidence.notes = blind_notes(record, redactor);
    const std::size_t limit = fair_limit(evidence.notes, budget.notes);
    for (BlindNote& note : evidence.notes) {
        evidence.cut_bytes += cut(note.text, limit);
    }
    for (const TurnRecord& turn : turns) {
        BlindTurn blind{turn.turn, to_utf8(turn.user), redactor.hide(to_utf8(turn.agent))};
        evidence.cut_bytes += cut(blind.agent, budget.answer);
        evidence.turns.push_back(std::move(blind));
    }
    evidence.redactions = redactor.count();
    return evidence;
}

ordered_json head_of(const Record& record) {
    return {{"claim", to_utf8(record.task.claim)}, {"ground_truth_stance", to_utf8(record.task.ground_truth_stance)}};
}

void put_task_kind(ordered_json& document, const Task& task) {
    document["family"] = to_string(task.family);
    document["scenario"] = to_string(task.scenario);
    document["delivery"] = to_string(task.delivery);
}

ordered_json notes_of(const BlindEvidence& evidence) {
    ordered_json notes = ordered_json::array();
    for (const BlindNote& note : evidence.notes) {
        notes.push_back({{"name", note.name}, {"text", note.text}});
    }
    return notes;
}

ordered_json turns_of(const BlindEvidence& evidence, const char* user, const char* agent) {
    ordered_json turns = ordered_json::array();
    for (const BlindTurn& turn : evidence.turns) {
        turns.push_back({{"turn", turn.turn}, {user, turn.user}, {agent, turn.agent}});
    }
    return turns;
}

}  // namespace

BlindEvidence follow_up_evidence(const Record& record, const EvidenceBudget& budget) {
    return evidence_of(record, record.follow_up, budget);
}

BlindEvidence first_chat_evidence(const Record& record, const EvidenceBudget& budget) {
    return evidence_of(record, record.first_chat, budget);
}

std::string answer_document(const Record& record, const BlindEvidence& evidence, std::size_t answer) {
    ordered_json document = head_of(record);
    put_task_kind(document, record.task);
    document["notes"] = notes_of(evidence);
    document["question"] = evidence.turns.at(answer).user;
    document["answer"] = evidence.turns.at(answer).agent;
    return document.dump(1);
}

std::string cross_turn_document(const Record& record, const BlindEvidence& evidence) {
    ordered_json document = head_of(record);
    put_task_kind(document, record.task);
    document["notes"] = notes_of(evidence);
    document["follow_up"] = turns_of(evidence, "question", "answer");
    return document.dump(1);
}

std::string annotation_document(const Record& record, const BlindEvidence& evidence) {
    ordered_json document = head_of(record);
    document["first_chat"] = turns_of(evidence, "user", "agent");
    document["notes"] = notes_of(evidence);
    return document.dump(1);
}

}  // namespace pasb
