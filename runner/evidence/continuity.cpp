#include "evidence/continuity.hpp"

#include "evidence/text_spans.hpp"

namespace pasb {
namespace {

// What a request of a turn must hold, in this order.
struct Piece {
    std::string_view role;
    std::string_view text;
    std::string name;
};

std::vector<Piece> pieces_before(std::span<const TurnText> turns, std::size_t turn) {
    std::vector<Piece> pieces;
    for (std::size_t k = 1; k <= turn; ++k) {
        const std::string name = "turn " + std::to_string(k);
        pieces.push_back({"user", turns[k - 1].user, name + " user"});
        if (k < turn) {
            pieces.push_back({"assistant", turns[k - 1].agent, name + " agent"});
        }
    }
    return pieces;
}

// Name of the first piece that is missing, or not where it belongs; empty if all are there.
std::string first_missing(const std::vector<Message>& messages, const std::vector<Piece>& pieces) {
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
        while (at < messages.size() &&
               !(messages[at].role == piece.role && holds_text(messages[at].text, piece.text))) {
            ++at;
        }
        if (at == messages.size()) {
            return piece.name;
        }
        ++at;
    }
    return {};
}

bool asked_in_turn(std::span<const Exchange> all, Chat chat, int turn) {
    for (const Exchange& exchange : all) {
        if (exchange.chat == chat && exchange.in_turn && exchange.turn == turn) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string_view to_string(ContinuityState state) {
    switch (state) {
        case ContinuityState::ok:
            return "ok";
        case ContinuityState::broken:
            return "broken";
        case ContinuityState::unknown:
            break;
    }
    return "unknown";
}

Continuity check_continuity(std::span<const Exchange> all, Chat chat, std::span<const TurnText> turns) {
    Continuity result;
    result.state = turns.empty() ? ContinuityState::unknown : ContinuityState::ok;
    for (std::size_t k = 1; k <= turns.size(); ++k) {
        const int turn = static_cast<int>(k);
        bool seen = false;
        for (const Exchange& exchange : all) {
            if (exchange.turn != turn || !in_main_conversation(exchange, chat, turns, all)) {
                continue;
            }
            seen = true;
            ++result.requests_checked;
            const std::string missing = first_missing(messages_of(exchange.request), pieces_before(turns, k));
            if (!missing.empty() && result.state != ContinuityState::broken) {
                result.state = ContinuityState::broken;
                result.turn = turn;
                result.missing = missing;
            }
        }
        if (seen || result.state == ContinuityState::broken) {
            continue;
        }
        if (asked_in_turn(all, chat, turn)) {
            result.state = ContinuityState::broken;
            result.turn = turn;
            result.missing = "turn " + std::to_string(turn) + " user";
        } else if (result.state == ContinuityState::ok) {
            result.state = ContinuityState::unknown;
            result.turn = turn;
            result.missing = "request of turn " + std::to_string(turn);
        }
    }
    return result;
}

}  // namespace pasb
