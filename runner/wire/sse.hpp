// Server-sent events, read incrementally: bytes split anywhere in, whole events out. Not a client: no reconnection, no
// last event id.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

struct SseEvent {
    std::string name;  // of the `event` field; empty for plain messages
    std::string data;  // `data` lines joined by \n
};

class SseParser {
  public:
    explicit SseParser(std::size_t event_limit = 16U << 20U) : event_limit_(event_limit) {}

    // Events that these bytes complete. Throws NetError (protocol) when a single event outgrows the limit.
    std::vector<SseEvent> feed(std::string_view bytes);
    // At the end of the stream: an event that lacks only its closing blank line. The standard drops it; servers exist
    // that forget the line, and a truncated one still fails as JSON.
    std::vector<SseEvent> finish();

  private:
    void end_line(std::vector<SseEvent>& events);
    void dispatch(std::vector<SseEvent>& events);

    const std::size_t event_limit_;
    std::string line_;
    SseEvent event_;
    bool has_data_ = false;
    bool after_cr_ = false;
    bool at_start_ = true;
};

// The event as bytes, with its closing blank line.
std::string sse_text(const SseEvent& event);

}  // namespace pasb
