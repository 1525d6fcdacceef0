// Any bytes as a judge's content, as a whole response, and as a text with names to hide: nothing throws, and scores are
// 1 to 5 or absent.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/bytes.hpp"
#include "model/utf8.hpp"
#include "rubric/calls.hpp"
#include "rubric/redactor.hpp"
#include "wire/json_splice.hpp"

namespace {

using nlohmann::json;

void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

void check(const json& response) {
    const pasb::JudgeReply reply = pasb::read_reply(response, pasb::answer_contract());
    require(reply.fields.is_null() != reply.unscored.empty());
    const pasb::AnswerVerdict verdict = pasb::answer_verdict(reply);
    require(verdict.scores.has_value() == verdict.unscored.empty());
    for (const int score : verdict.scores.value_or(std::array<int, pasb::answer_metrics>{1, 1, 1, 1})) {
        require(score >= 1 && score <= 5);
    }
    pasb::Annotation annotation;
    pasb::put_labels(pasb::read_reply(response, pasb::annotation_contract()), annotation);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string text = pasb::to_utf8(bytes);
    check({{"choices", {{{"finish_reason", "stop"}, {"message", {{"content", text}}}}}}});
    if (pasb::nesting_depth(bytes) <= 200) {
        if (const json value = json::parse(bytes, nullptr, false); !value.is_discarded()) {
            check(value);
            check({{"choices", {{{"message", {{"content", value}}}}}}});
        }
    }
    pasb::Record record;
    record.framework = "hermes";
    record.model = "vendor/model-1";
    require(pasb::is_utf8(pasb::Redactor(record).hide(text)));
    return 0;
}
