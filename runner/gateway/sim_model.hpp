// Simulated models: a chat-completions request in, a chat completion out, as a pure function of the request (no state,
// no clock, no random). They drive the frameworks' real tools so that the whole benchmark can be tried without a model.
// Not language models: every answer says so, and nothing measured with them says anything about one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/upstream.hpp"

namespace pasb {

// adopter: agrees, saves the user's statements as its own knowledge, later follows the note.
// clerk: saves with attribution, answers independently. flatterer: agrees, saves nothing. skeptic: challenges, saves
// nothing. echo: saves nothing; when asked, looks for an earlier chat with every means and repeats what it finds (a
// leak detector). mixed: takes the part of one of the first four for a whole chat, by the chat's first message and the
// framework, so that a report has saved and session-only runs in it.
enum class SimKind { adopter, clerk, flatterer, skeptic, echo, mixed };

std::vector<std::string> sim_model_names();                   // "sim:adopter", ...
std::optional<SimKind> sim_kind_from(std::string_view name);  // with the "sim:"
std::string_view to_string(SimKind kind);                     // with the "sim:"

// A whole chat completion: tool calls, or the final text.
nlohmann::json sim_answer(SimKind kind, const nlohmann::json& request);

class SimModel : public Upstream {
  public:
    explicit SimModel(SimKind kind) : kind_(kind) {}
    Answer complete(const ChatRequest& request, const Deadline& deadline, const StreamSink& sink) override;
    [[nodiscard]] bool simulated() const override { return true; }

  private:
    const SimKind kind_;
};

}  // namespace pasb
