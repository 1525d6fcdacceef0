#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>

#include "command/commands.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "model/record.hpp"
#include "run/exchange_file.hpp"
#include "run/journal.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr std::size_t shown_text = 2000;

// Everything that an agent or a model wrote passes through here before it reaches a terminal.
std::string quoted(const std::string& text, const char* indent) {
    std::string out;
    std::istringstream lines(terminal_text(text.substr(0, shown_text)));
    for (std::string line; std::getline(lines, line);) {
        out += indent + line + "\n";
    }
    if (text.size() > shown_text) {
        out += std::string(indent) + "(" + std::to_string(text.size() - shown_text) + " more bytes)\n";
    }
    return out;
}

const char* mark(bool good) {
    return good ? "yes" : "NO";
}

void print_list(const std::filesystem::path& records) {
    read_records(records, [](const json& record) {
        const bool valid = record.at("valid");
        std::printf("%-44s a%d  %-10s %-14s %s\n", record.at("run_id").get<std::string>().c_str(),
                    record.at("attempt").get<int>(), record.at("framework").get<std::string>().c_str(),
                    record.at("destination").get<std::string>().c_str(),
                    valid ? "valid" : ("INVALID " + record.at("invalid_reason").get<std::string>()).c_str());
    });
}

std::optional<Record> find_run(const std::filesystem::path& records, const std::string& run) {
    std::optional<Record> found;
    read_records(records, [&](const json& value) {
        const std::string id = value.at("run_id");
        if (id.rfind(run, 0) != 0) {
            return;
        }
        if (found && found->run_id != id) {
            throw InputError("'" + run + "' is the beginning of several run ids, " + found->run_id + " and " + id +
                             " among them");
        }
        found = record_from_json(value);
    });
    return found;
}

void print_head(const Record& record) {
    std::printf("run        %s, attempt %d, arm %s\n", record.run_id.c_str(), record.attempt, record.arm.c_str());
    std::printf(
        "task       %s (%s, %s, %s)\n", record.task.task_id.c_str(), std::string(to_string(record.task.family)).c_str(),
        std::string(to_string(record.task.scenario)).c_str(), std::string(to_string(record.task.delivery)).c_str());
    std::printf("framework  %s %s, image %s\n", record.framework.c_str(), record.framework_version.c_str(),
                record.image_id.c_str());
    std::printf("model      %s%s\n", terminal_text(record.model).c_str(),
                record.simulated ? " (simulated model, not a language model)" : "");
    std::printf("claim      %s\n", terminal_text(record.task.claim).c_str());
    if (record.valid) {
        std::printf("ended      valid\n");
    } else {
        std::printf("ended      INVALID: %s: %s\n", record.invalid_reason.c_str(),
                    terminal_text(record.invalid_detail).c_str());
    }
}

void print_chat(const char* title, const std::vector<TurnRecord>& turns) {
    std::printf("\n%s\n", title);
    for (const TurnRecord& turn : turns) {
        std::printf("  turn %d  (%.1f s, %d model requests)\n", turn.turn, turn.seconds, turn.model_calls);
        std::printf("    user\n%s    agent\n%s", quoted(turn.user, "      ").c_str(),
                    quoted(turn.agent, "      ").c_str());
    }
}

void print_notes(const Record& record) {
    std::printf("\nnotes after the first chat\n");
    if (record.notes.empty()) {
        std::printf("  none changed\n");
    }
    for (const NoteRecord& note : record.notes) {
        std::printf("  %s  %s, %s, sha256 %.12s\n", terminal_text(note.path).c_str(),
                    std::string(to_string(note.kind)).c_str(), std::string(to_string(note.change)).c_str(),
                    note.sha256.c_str());
        std::printf("    holds the claim: %s (score %.2f)\n", mark(note.holds_claim), note.score);
        if (note.holds_claim) {
            std::printf("%s",
                        quoted(note.text.substr(note.span_begin, note.span_end - note.span_begin), "    | ").c_str());
        }
    }
    for (const Change& change : record.unclassified) {
        std::printf("  UNCLASSIFIED %s (%s): no rule of the adapter names it; it did not cross\n",
                    terminal_text(change.path).c_str(), std::string(to_string(change.change)).c_str());
    }
}

std::string state_of(const json& continuity, const char* chat) {
    const auto found = continuity.find(chat);
    if (found == continuity.end()) {
        return "unknown";
    }
    const std::string missing = found->value("missing", "");
    return found->value("state", "unknown") + (missing.empty() ? "" : " (missing: " + missing + ")");
}

std::string tri_state(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || !found->is_boolean() ? "unknown" : mark(found->get<bool>());
}

void print_evidence(const Record& record) {
    std::printf("\nevidence\n");
    std::printf("  write attempts       %zu\n", record.write_attempts.size());
    for (const WriteAttempt& attempt : record.write_attempts) {
        std::printf("    turn %d  %s %s  ok: %s%s\n", attempt.turn, terminal_text(attempt.tool).c_str(),
                    terminal_text(attempt.target).c_str(), attempt.ok ? mark(*attempt.ok) : "unknown",
                    attempt.in_turn ? "" : "  (background)");
    }
    std::printf("  saved                %s (%s)\n", mark(record.saved), record.destination.c_str());
    std::printf("  continuity           first chat %s; follow-up %s\n",
                state_of(record.continuity, "first_chat").c_str(), state_of(record.continuity, "follow_up").c_str());
    std::printf("  cut proven           %s (%d follow-up requests checked)\n", tri_state(record.cut, "proven").c_str(),
                record.cut.value("requests_checked", 0));
    for (const json& path : record.cut.value("crossed", json::array())) {
        std::printf("    crossed: %s\n", terminal_text(path.get<std::string>()).c_str());
    }
    for (const json& span : record.cut.value("foreign_spans", json::array())) {
        std::printf("    FOREIGN in request %d, %s: %s\n", span.value("request", 0),
                    terminal_text(span.value("where", "")).c_str(), terminal_text(span.value("excerpt", "")).c_str());
    }
    for (const json& place : record.cut.value("canary_seen", json::array())) {
        std::printf("    CANARY in %s\n", terminal_text(place.get<std::string>()).c_str());
    }
    std::printf("  shown in follow-up   automatic: %s, by tool: %s\n", tri_state(record.shown, "automatic").c_str(),
                tri_state(record.shown, "by_tool").c_str());
    std::printf("  flush                %s, waited %.1f s, settled: %s\n", record.flush.policy.c_str(),
                record.flush.waited_s, mark(record.flush.settled));
    for (const std::string& warning : record.warnings) {
        std::printf("  warning              %s\n", terminal_text(warning).c_str());
    }
    std::printf("  usage                %s\n", terminal_text(record.usage.dump()).c_str());
    std::printf("  times                %s\n", terminal_text(record.times.dump()).c_str());
}

void print_exchanges(const std::filesystem::path& out, const Record& record) {
    std::printf("\nmodel exchanges\n");
    int index = 0;
    for (const json& exchange : read_exchanges(out / record.exchanges.at("file").get<std::string>())) {
        const json messages = exchange.at("request").value("messages", json::array());
        std::printf("  %d  %s turn %d%s  %zu messages, status %d %s\n", ++index, exchange.value("chat", "").c_str(),
                    exchange.value("turn", 0), exchange.value("in_turn", true) ? "" : " (background)", messages.size(),
                    exchange.value("status", 0), terminal_text(exchange.value("error", "")).c_str());
        if (!messages.empty()) {
            std::printf("%s", quoted(messages.back().dump(), "     < ").c_str());
        }
        const json choices = exchange.at("response").is_object()
                                 ? exchange.at("response").value("choices", json::array())
                                 : json::array();
        if (!choices.empty()) {
            std::printf("%s", quoted(choices.front().value("message", json::object()).dump(), "     > ").c_str());
        }
    }
}

}  // namespace

int show_command(const std::string& out, const std::string& run, bool exchanges) {
    const std::filesystem::path folder(out);
    const std::filesystem::path records = folder / "records.jsonl";
    if (run.empty()) {
        print_list(records);
        return exit_code::ok;
    }
    const std::optional<Record> record = find_run(records, run);
    if (!record) {
        throw InputError(records.string() + ": no run '" + run + "': `pasb show --out " + out + "` lists them");
    }
    print_head(*record);
    print_chat("first chat", record->first_chat);
    print_notes(*record);
    print_chat("follow-up chat (new container, new session)", record->follow_up);
    print_evidence(*record);
    if (exchanges) {
        print_exchanges(folder, *record);
    }
    return exit_code::ok;
}

}  // namespace pasb
