#include "wire/sse.hpp"

#include "model/errors.hpp"

namespace pasb {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

std::vector<SseEvent> SseParser::feed(std::string_view bytes) {
    std::vector<SseEvent> events;
    for (const char byte : bytes) {
        // CRLF is one line end: the CR has already ended the line.
        const bool second_half = byte == '\n' && after_cr_;
        after_cr_ = byte == '\r';
        if (second_half) {
            continue;
        }
        if (byte == '\n' || byte == '\r') {
            end_line(events);
            continue;
        }
        line_ += byte;
        if (line_.size() + event_.data.size() > event_limit_) {
            throw NetError(NetError::Kind::protocol,
                           "an event of the stream is larger than " + std::to_string(event_limit_) + " bytes");
        }
    }
    return events;
}

std::vector<SseEvent> SseParser::finish() {
    std::vector<SseEvent> events;
    if (!line_.empty()) {
        end_line(events);
    }
    dispatch(events);
    return events;
}

void SseParser::end_line(std::vector<SseEvent>& events) {
    std::string line = std::move(line_);
    line_.clear();
    if (at_start_) {
        at_start_ = false;
        if (line.starts_with(byte_order_mark)) {
            line.erase(0, byte_order_mark.size());
        }
    }
    if (line.empty()) {
        dispatch(events);
        return;
    }
    const auto colon = line.find(':');
    const std::string_view field = std::string_view(line).substr(0, colon);
    std::string_view value = colon == std::string::npos ? std::string_view{} : std::string_view(line).substr(colon + 1);
    if (value.starts_with(' ')) {
        value.remove_prefix(1);
    }
    if (field == "data") {
        if (has_data_) {
            event_.data += '\n';
        }
        event_.data += value;
        has_data_ = true;
    } else if (field == "event") {
        event_.name = value;
    }
}

void SseParser::dispatch(std::vector<SseEvent>& events) {
    if (has_data_) {
        events.push_back(std::move(event_));
    }
    event_ = {};
    has_data_ = false;
}

std::string sse_text(const SseEvent& event) {
    std::string text = event.name.empty() ? "" : "event: " + event.name + "\n";
    std::size_t begin = 0;
    while (begin != std::string::npos) {
        const auto end = event.data.find('\n', begin);
        text += "data: " + event.data.substr(begin, end == std::string::npos ? end : end - begin) + "\n";
        begin = end == std::string::npos ? end : end + 1;
    }
    return text + "\n";
}

}  // namespace pasb
