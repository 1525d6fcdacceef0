#include "gateway/upstream.hpp"

namespace pasb {

std::string error_body(std::string_view message, std::string_view type, std::string_view code) {
    const nlohmann::json body = {{"error", {{"message", message}, {"type", type}, {"param", nullptr}, {"code", code}}}};
    return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace pasb
