// SIGINT and SIGTERM as a stop token: the first asks for an orderly end, the second ends the program at once.
#pragma once

#include <stop_token>
#include <thread>

namespace pasb {

class StopSignal {
  public:
    StopSignal();  // at most one at a time
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

  private:
    std::stop_source source_;
    std::jthread watcher_;
};

}  // namespace pasb
