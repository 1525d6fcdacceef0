#include "command/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "model/bytes.hpp"
#include "run/run.hpp"

namespace pasb {
namespace {

std::string clock_text(double seconds) {
    const auto total = static_cast<long>(std::lround(seconds));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%ld:%02ld", total / 60, total % 60);
    return text.data();
}

std::size_t terminal_width() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string describe(const Record& record) {
    std::string text = record.run_id + "  " + record.framework + "  " + std::string(to_string(record.task.scenario)) +
                       "/" + std::string(to_string(record.task.delivery));
    if (record.attempt > 1) {
        text += "  attempt " + std::to_string(record.attempt);
    }
    if (!record.valid) {
        return text + "  INVALID " + record.invalid_reason + ": " +
               terminal_text(record.invalid_detail.substr(0, record.invalid_detail.find('\n'))).substr(0, 300);
    }
    return text + "  saved " + record.destination + "  cut proven  " + clock_text(record.times.value("total_s", 0.0));
}

}  // namespace

Progress::Progress(const std::string& log_file)
    : log_(spdlog::basic_logger_st("pasb", log_file)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {
    log_->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %v");
    log_->flush_on(spdlog::level::info);
}

Progress::~Progress() {
    spdlog::drop("pasb");
    if (terminal_) {
        std::fputs("\r\x1b[K", stderr);
    }
}

void Progress::print_line(const std::string& line) {
    log_->info(line);
    std::fprintf(stderr, "%s%s\n", terminal_ ? "\r\x1b[K" : "", line.c_str());
    draw();
}

void Progress::draw() {
    if (!terminal_ || planned_ == 0) {
        return;
    }
    std::string line = std::to_string(before_ + done_) + "/" + std::to_string(planned_) + rate();
    for (const auto& [run, stage] : stages_) {
        line += "  " + run.substr(0, 18) + ": " + stage;
    }
    std::fprintf(stderr, "\r\x1b[K%s", line.substr(0, terminal_width() - 1).c_str());
    std::fflush(stderr);
}

std::string Progress::rate() const {
    if (done_ == 0) {
        return "";
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double per_run = seconds / static_cast<double>(done_);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "  %.1f runs/min  ETA ", 60.0 / per_run);
    return text.data() + clock_text(per_run * static_cast<double>(planned_ - before_ - done_));
}

void Progress::remark(const std::string& line) {
    const std::lock_guard lock(mutex_);
    print_line(line);
}

void Progress::planned(std::size_t runs, std::size_t done) {
    const std::lock_guard lock(mutex_);
    planned_ = runs;
    before_ = done;
    start_ = std::chrono::steady_clock::now();
    print_line(std::to_string(runs) + " runs" +
               (done > 0 ? ", " + std::to_string(done) + " of them finished earlier" : ""));
}

void Progress::stage(const std::string& run_id, const std::string& stage) {
    const std::lock_guard lock(mutex_);
    log_->info(run_id + ": " + stage);
    stages_[run_id] = stage;
    draw();
}

void Progress::attempt_ended(const Record& record) {
    const std::lock_guard lock(mutex_);
    stages_.erase(record.run_id);
    done_ += worth_another_attempt(record) ? 0U : 1U;
    print_line("[" + std::to_string(before_ + done_) + "/" + std::to_string(planned_) + rate() + "] " +
               describe(record));
}

}  // namespace pasb
