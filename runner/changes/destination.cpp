#include "changes/destination.hpp"

#include <algorithm>

namespace pasb {
namespace {

Destination destination_of_one(PathKind kind) {
    switch (kind) {
        case PathKind::user:
            return Destination::user;
        case PathKind::memory:
        case PathKind::persona:
            return Destination::memory;
        case PathKind::skill:
            return Destination::skill;
        default:
            return Destination::session_only;
    }
}

}  // namespace

std::string_view to_string(Destination destination) {
    switch (destination) {
        case Destination::user:
            return "user";
        case Destination::memory:
            return "memory";
        case Destination::skill:
            return "skill";
        case Destination::session_only:
            break;
    }
    return "session-only";
}

Destination destination_of(std::span<const PathKind> kinds_that_hold_the_claim) {
    Destination best = Destination::session_only;
    for (const PathKind kind : kinds_that_hold_the_claim) {
        best = std::max(best, destination_of_one(kind));
    }
    return best;
}

}  // namespace pasb
