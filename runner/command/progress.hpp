// Prints an eval's progress: one living line with rate and remaining time on a terminal, plain lines otherwise.
// Everything it is told also goes into a log file with the time.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "run/eval.hpp"

namespace spdlog {
class logger;
}

namespace pasb {

class Progress : public EvalObserver {
  public:
    explicit Progress(const std::string& log_file);
    ~Progress() override;
    void remark(const std::string& line) override;
    void planned(std::size_t runs, std::size_t done) override;
    void stage(const std::string& run_id, const std::string& stage) override;
    void attempt_ended(const Record& record) override;

  private:
    void print_line(const std::string& line);
    void draw();
    [[nodiscard]] std::string rate() const;

    std::mutex mutex_;
    std::shared_ptr<spdlog::logger> log_;
    bool terminal_;
    std::size_t planned_ = 0;
    std::size_t before_ = 0;  // done in an earlier call
    std::size_t done_ = 0;    // by this call
    std::chrono::steady_clock::time_point start_;
    std::map<std::string, std::string> stages_;  // run -> stage
};

}  // namespace pasb
