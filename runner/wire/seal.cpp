#include "wire/seal.hpp"

#include <utility>

#include "wire/digest.hpp"

namespace pasb {
namespace {

constexpr const char* seal_member = "sha256";

}  // namespace

nlohmann::json sealed(nlohmann::json object) {
    object.erase(seal_member);
    std::string digest = json_sha256(object);
    object[seal_member] = std::move(digest);
    return object;
}

bool seal_holds(const nlohmann::json& value) {
    return value.is_object() && value.contains(seal_member) && sealed(value) == value;
}

}  // namespace pasb
