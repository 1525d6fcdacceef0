// Talks to the agent in a container as its adapter describes: is it ready, take this turn. Knows no container and no
// model.
#pragma once

#include <functional>
#include <string>

#include "model/adapter.hpp"
#include "net/deadline.hpp"
#include "net/http_client.hpp"

namespace pasb {

struct TurnResult {
    bool ok = false;
    bool empty = false;   // answered, but with nothing
    std::string reply;    // the agent's text, as it came
    std::string failure;  // one line, when not ok
};

class AgentControl {
  public:
    // `run` fills {{run}} in session names; `session` is the adapter's name for this chat's session.
    AgentControl(const Adapter& adapter, const std::string& socket, const std::string& run, const std::string& session);

    // Polls until the agent answers as ready. `alive` is asked between polls; once it says no, waiting ends. Returns an
    // empty text, or why the agent is not ready.
    [[nodiscard]] std::string wait_ready(const std::function<bool()>& alive, const Deadline& deadline) const;

    // Hands over one user turn and waits for the answer. Never throws for what the agent does: a refusal, a broken
    // connection, an error status or an answer without text are data.
    [[nodiscard]] TurnResult take_turn(const std::string& text, const Deadline& deadline) const;

    [[nodiscard]] const std::string& session() const { return session_; }

  private:
    const Adapter& adapter_;
    Endpoint endpoint_;
    std::string run_;
    std::string session_;
};

}  // namespace pasb
