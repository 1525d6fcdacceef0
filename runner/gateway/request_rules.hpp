// Which chat-completions requests the gateway will not forward: content that makes the provider fetch something, and
// tools that the provider runs itself. Either would be a way out of the container. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace pasb {

// Why the request is refused, in words for the agent; nothing when it may pass.
std::optional<std::string> refusal(const nlohmann::json& request);

}  // namespace pasb
