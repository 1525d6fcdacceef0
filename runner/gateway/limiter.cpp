#include "gateway/limiter.hpp"

#include <algorithm>

#include "model/errors.hpp"

namespace pasb {
namespace {

void check(const Deadline& deadline) {
    if (deadline.cancelled()) {
        throw NetError(NetError::Kind::cancelled, "cancelled while waiting for the upstream");
    }
    if (deadline.passed()) {
        throw NetError(NetError::Kind::timeout, "no time left while waiting for the upstream");
    }
}

}  // namespace

Limiter::Permit Limiter::acquire(const Deadline& deadline) {
    std::unique_lock lock(mutex_);
    while (true) {
        check(deadline);
        const auto now = Clock::now();
        if (free_ > 0 && now >= paused_until_) {
            --free_;
            return Permit(*this);
        }
        const auto until = now < paused_until_ ? std::min(deadline.at(), paused_until_) : deadline.at();
        changed_.wait_until(lock, deadline.stop(), until,
                            [this] { return free_ > 0 && Clock::now() >= paused_until_; });
    }
}

void Limiter::pause_until(Clock::time_point at) {
    const std::scoped_lock lock(mutex_);
    paused_until_ = std::max(paused_until_, at);
}

void Limiter::release() {
    {
        const std::scoped_lock lock(mutex_);
        ++free_;
    }
    changed_.notify_one();
}

void Limiter::wait(std::chrono::milliseconds span, const Deadline& deadline) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_until(lock, deadline.stop(), std::min(Clock::now() + span, deadline.at()), [] { return false; });
    check(deadline);
}

}  // namespace pasb
