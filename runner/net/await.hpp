// Runs one asynchronous operation on a private io_context until it is done, its deadline passes or its caller is asked
// to stop. Included by net/*.cpp only. Beast's blocking calls know no deadline, which is why everything here goes
// through this.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <string>

#include "model/errors.hpp"
#include "net/deadline.hpp"

namespace pasb::net {

// How often a waiting call looks at its stop signal.
inline constexpr std::chrono::milliseconds stop_poll{100};

struct Awaited {
    boost::system::error_code error;
    std::size_t bytes = 0;
};

// `start` is handed a completion handler (error_code, bytes); `abort` must make the pending operation end (close its
// socket). Throws NetError timeout or cancelled after the operation has been aborted and drained; other errors are
// returned.
template <typename Start, typename Abort>
Awaited await(boost::asio::io_context& io, const Deadline& deadline, const std::string& what, Start&& start,
              Abort&& abort) {
    Awaited result;
    bool done = false;
    start([&result, &done](boost::system::error_code error, std::size_t bytes) {
        result = {error, bytes};
        done = true;
    });
    io.restart();
    while (!done) {
        io.run_one_for(std::min(stop_poll, deadline.left()));
        if (done || (!deadline.passed() && !deadline.cancelled())) {
            continue;
        }
        const bool cancelled = deadline.cancelled();
        abort();
        io.run();
        throw NetError(cancelled ? NetError::Kind::cancelled : NetError::Kind::timeout,
                       what + (cancelled ? ": cancelled" : ": no answer in time"));
    }
    return result;
}

}  // namespace pasb::net
