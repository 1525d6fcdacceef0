// How a simulated model works each framework's real tools: what to call next to save a note, to read notes, or to look
// for an earlier chat. Told apart by the tools that a request offers. Pure; what to save and what to say is sim_model's
// business.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gateway/sim_scene.hpp"
#include "gateway/sim_text.hpp"

namespace pasb::sim {

struct Call {
    std::string tool;
    nlohmann::json arguments;
};

// One note to be written in this turn.
struct Note {
    Destination destination = Destination::memory;
    std::vector<std::string> fresh;  // lines that this destination does not hold yet
    std::vector<std::string> all;    // every line of the chat so far, for a skill, which is written whole
    std::string skill_lead;          // the skill's opening sentence
};

class Tools {
  public:
    Tools() = default;
    Tools(const Tools&) = delete;
    Tools& operator=(const Tools&) = delete;
    virtual ~Tools() = default;

    // Calls still to be made for the note; empty when it has been written. One answer's worth: its results decide what
    // follows.
    [[nodiscard]] virtual std::vector<Call> save(const Note& note) const = 0;
    // Calls still to be made before every note can be seen; empty when all are.
    [[nodiscard]] virtual std::vector<Call> read_notes() const = 0;
    // Texts of notes in the request: in the system prompt or read by a tool.
    [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
    // Calls still to be made to find an earlier chat.
    [[nodiscard]] virtual std::vector<Call> look_back() const = 0;
};

// For the framework whose tools the request offers; one that can do nothing when there are none. Keeps a reference to
// `scene`.
std::unique_ptr<Tools> tools_for(const Scene& scene);

// Skills that a simulated model writes begin so: that is how it finds them again among those that a framework ships.
inline constexpr std::string_view skill_prefix = "learned-";

}  // namespace pasb::sim
