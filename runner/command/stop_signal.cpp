#include "command/stop_signal.hpp"

#include <unistd.h>
#include <chrono>
#include <csignal>

namespace pasb {
namespace {

constexpr int exit_interrupted = 130;

// A handler may do next to nothing, and signals must not be blocked instead: children would inherit that.
volatile std::sig_atomic_t signals_seen = 0;

extern "C" void count_signal(int) {
    signals_seen = signals_seen + 1;
    if (signals_seen > 1) {
        ::_exit(exit_interrupted);
    }
}

}  // namespace

StopSignal::StopSignal() {
    signals_seen = 0;
    std::signal(SIGINT, count_signal);
    std::signal(SIGTERM, count_signal);
    // A peer that hangs up must be an error of its call, not the end of the program.
    std::signal(SIGPIPE, SIG_IGN);
    watcher_ = std::jthread([this](const std::stop_token& done) {
        while (!done.stop_requested()) {
            if (signals_seen > 0) {
                source_.request_stop();
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    });
}

StopSignal::~StopSignal() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace pasb
