#include "gateway/stream_reader.hpp"

#include "model/errors.hpp"
#include "wire/json_splice.hpp"

namespace pasb {
namespace {

constexpr std::size_t deepest_json = 200;

}  // namespace

bool StreamReader::feed(std::string_view bytes) {
    std::vector<SseEvent> events;
    try {
        events = parser_.feed(bytes);
    } catch (const NetError& error) {
        failure_ = error.what();
    }
    for (const auto& event : events) {
        take(event);
    }
    return !over();
}

void StreamReader::finish(bool broken) {
    for (const auto& event : parser_.finish()) {
        take(event);
    }
    if (!failure_.empty()) {
        return;
    }
    if (broken && !done_) {
        failure_ = "the stream broke off";
    } else if (assembler_.empty()) {
        failure_ = "the stream held no answer";
    } else if (!done_ && !assembler_.finished()) {
        failure_ = "the stream ended without a finish_reason or [DONE]";
    }
}

void StreamReader::take(const SseEvent& event) {
    if (over()) {
        return;
    }
    const SseEvent clean{event.name, scrub_(event.data)};
    if (clean.data == "[DONE]") {
        done_ = true;
        // Without a single choice there is nothing that this could end.
        if (assembler_.empty()) {
            return;
        }
    } else if (!add(clean.data)) {
        return;
    }
    began_ = true;
    sink_(sse_text(clean));
}

bool StreamReader::add(const std::string& data) {
    const auto chunk = nesting_depth(data) > deepest_json ? nlohmann::json(nlohmann::json::value_t::discarded)
                                                          : nlohmann::json::parse(data, nullptr, false);
    if (chunk.is_discarded()) {
        failure_ = "the stream holds an event that is not JSON";
        return false;
    }
    if (error_object(chunk) != nullptr) {
        failure_ = "the upstream ended the stream with an error";
        error_event_ = chunk;
        return false;
    }
    try {
        assembler_.add(chunk);
    } catch (const NetError& error) {
        failure_ = error.what();
        return false;
    }
    return true;
}

}  // namespace pasb
