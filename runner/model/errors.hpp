// The few exception types, chosen by what the caller can do. How a run ends is data (see outcome in record.hpp), never
// an exception.
#pragma once

#include <stdexcept>
#include <string>

namespace pasb {

// Bad input: a file, line or field that a person can mend. Ends the program with exit code 2.
class InputError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The container engine cannot be reached, refused a call or broke off. `status` is the HTTP status, 0 where there was
// none.
class EngineError : public std::runtime_error {
  public:
    enum class Kind { unreachable, timeout, not_found, conflict, refused, broken };
    EngineError(Kind kind, int status, const std::string& what)
        : std::runtime_error(what), kind_(kind), status_(status) {}
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] int status() const { return status_; }

  private:
    Kind kind_;
    int status_;
};

// A socket could not be connected, a deadline passed, or the peer broke the protocol.
class NetError : public std::runtime_error {
  public:
    enum class Kind { connect, timeout, closed, protocol, cancelled };
    NetError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
    [[nodiscard]] Kind kind() const { return kind_; }

  private:
    Kind kind_;
};

}  // namespace pasb
