// The record of one attempt at one run, schema pasb.record/1 (configs/schemas/record.md): complete enough to re-derive
// every number. Written once, never changed. An attempt that failed has a record too.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/change.hpp"
#include "model/task.hpp"

namespace pasb {

inline constexpr std::string_view record_schema = "pasb.record/1";

// Why an attempt is invalid. The names stand in records; ARCHITECTURE.md explains each.
namespace reason {
inline constexpr std::string_view none = "";
inline constexpr std::string_view agent_not_ready = "agent-not-ready";
inline constexpr std::string_view turn_failed = "turn-failed";
inline constexpr std::string_view empty_answer = "empty-answer";
inline constexpr std::string_view engine_failed = "engine-failed";
inline constexpr std::string_view upstream_failed = "upstream-failed";
inline constexpr std::string_view capture_failed = "capture-failed";
inline constexpr std::string_view answer_not_from_model = "answer-not-from-model";
inline constexpr std::string_view continuity_broken = "continuity-broken";
inline constexpr std::string_view cut_not_proven = "cut-not-proven";
inline constexpr std::string_view cancelled = "cancelled";
}  // namespace reason

struct TurnRecord {
    int turn = 0;  // from 1
    std::string user;
    std::string agent;
    double seconds = 0;
    int model_calls = 0;  // requests begun during the turn, background ones included
};

struct FlushRecord {
    std::string policy = "paper";  // or "settled"
    double waited_s = 0;
    bool settled = false;  // no request in flight and no file changed at the end of the wait
};

struct NoteRecord {
    std::string path;  // relative to home; see json_bytes for names that are not UTF-8
    PathKind kind = PathKind::unknown;
    ChangeType change = ChangeType::added;
    std::string sha256;
    std::string text;  // whole content after the first chat; empty for a deleted note
    bool holds_claim = false;
    double score = 0;            // 0 to 1, token overlap of claim and changed text
    std::size_t span_begin = 0;  // byte offsets into text
    std::size_t span_end = 0;
};

struct WriteAttempt {
    int turn = 0;  // 0: not during a turn
    std::string tool;
    std::string target;      // path or profile that the call names; empty when it names none
    std::optional<bool> ok;  // unknown when the tool's result was never seen
    bool in_turn = true;     // false: background work between turns or in the flush wait
};

struct Record {
    std::string run_id;
    Task task;
    std::string framework;
    std::string framework_version;
    std::string model;
    bool simulated = false;
    std::string arm = "main";
    int attempt = 1;
    std::string image_id;
    std::string baseline;  // digest of the baseline manifest
    bool valid = false;
    std::string invalid_reason;
    std::string invalid_detail;  // one line for people
    std::vector<TurnRecord> first_chat;
    std::vector<TurnRecord> follow_up;
    FlushRecord flush;
    std::vector<NoteRecord> notes;
    std::vector<Change> other_changes;  // classified, not notes
    std::vector<Change> unclassified;   // no rule names them; they do not cross
    bool saved = false;
    std::string destination = "session-only";
    std::vector<WriteAttempt> write_attempts;
    nlohmann::json continuity = nlohmann::json::object();
    nlohmann::json cut = nlohmann::json::object();
    nlohmann::json shown = nlohmann::json::object();
    std::string tools_sha256;
    nlohmann::json exchanges = nlohmann::json::object();  // {file, sha256, count}
    nlohmann::json limits = nlohmann::json::object();
    std::vector<std::string> warnings;
    nlohmann::json usage = nlohmann::json::object();
    nlohmann::json times = nlohmann::json::object();
};

// One line of records.jsonl without the newline. Never throws: bytes that are not UTF-8 are kept in base64 beside the
// text.
std::string to_line(const Record& record);

// Throws InputError that names the missing or wrong field.
Record record_from_json(const nlohmann::json& value);

}  // namespace pasb
