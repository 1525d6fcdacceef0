// Reads what a judge or an annotator model answered: a chat completion and the fields that it had to fill, to values or
// to the reason why there are none. Never rounds, clamps or guesses, and never throws. Does not ask again: the caller
// decides by the reason.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

struct ReplyField {
    enum class Type {
        score,    // integer 1 to 5; one in quotes is taken and flagged
        word,     // one of `words`, as spelt there
        boolean,  // true or false
        text,     // free; never a reason to refuse a reply: an absent one is flagged and left empty
    };
    std::string name;
    Type type = Type::text;
    std::string about;  // for the model, in the JSON schema
    std::vector<std::string> words;
};

// In the order in which a missing field is named.
using ReplyContract = std::vector<ReplyField>;

// Why a reply has no values, as it stands in `unscored` and `unlabelled`; configs/schemas/judgement.md explains each.
// Two of them carry a detail: "missing:FIELD" and "upstream-failed: WHAT".
namespace unscored {
inline constexpr std::string_view no_json = "no_json";
inline constexpr std::string_view bad_json = "bad_json";
inline constexpr std::string_view empty = "empty";
inline constexpr std::string_view truncated = "truncated";
inline constexpr std::string_view content_filter = "content_filter";
inline constexpr std::string_view unfinished = "unfinished";
inline constexpr std::string_view refusal = "refusal";
inline constexpr std::string_view too_long = "too_long";
inline constexpr std::string_view multiple_objects = "multiple_objects";
inline constexpr std::string_view duplicate_key = "duplicate_key";
inline constexpr std::string_view missing = "missing:";
inline constexpr std::string_view score_type = "score_type";
inline constexpr std::string_view score_not_integer = "score_not_integer";
inline constexpr std::string_view score_range = "score_range";
inline constexpr std::string_view label_type = "label_type";
inline constexpr std::string_view label_unknown = "label_unknown";
inline constexpr std::string_view upstream_failed = "upstream-failed: ";
}  // namespace unscored

struct JudgeReply {
    nlohmann::json fields;  // the contract's fields, scores as integers; null exactly when `unscored` is set
    std::string unscored;   // one of the reasons above
    std::vector<std::string>
        flags;         // what was tolerated: "integer-string: FIELD", "text-around-json", "no-text: FIELD"
    std::string text;  // what the model said outside its reasoning members; for asking again
};

// First the whole content as one JSON object; else, outside of reasoning (<think> and the like), in code fences or
// prose, the one object that names all required fields. Two such objects are no answer, even when they are equal, and
// neither is one beside a broken object or beside another that names a field: it may be a draft. Text before a closing
// reasoning tag that was never opened is reasoning, and so is all that an opening one that is never closed ends.
JudgeReply read_reply(const nlohmann::json& response, const ReplyContract& contract);

}  // namespace pasb
