// An HTTP peer on loopback that answers by a script, for tests of whatever asks a model endpoint.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/errors.hpp"
#include "net/http_server.hpp"

namespace pasb::testing {

inline const std::map<std::string, std::string> json_type{{"content-type", "application/json"}};

inline nlohmann::json completion(const std::string& text) {
    return {{"id", "c"},
            {"object", "chat.completion"},
            {"model", "real"},
            {"choices",
             nlohmann::json::array(
                 {{{"index", 0}, {"message", {{"role", "assistant"}, {"content", text}}}, {"finish_reason", "stop"}}})},
            {"usage", {{"total_tokens", 3}}}};
}

inline HttpHandler answers(const nlohmann::json& body, int status = 200,
                           std::map<std::string, std::string> headers = json_type) {
    return [=](const HttpRequest&, ResponseWriter& writer) { writer.send({status, headers, body.dump()}); };
}

// Closes the connection without a word.
inline void hangs_up(const HttpRequest&, ResponseWriter&) {
    throw NetError(NetError::Kind::closed, "on purpose");
}

// An upstream that answers the n-th request by the n-th step of its script, the last one for ever, and keeps what it
// was sent.
class Peer {
  public:
    explicit Peer(std::vector<HttpHandler> script)
        : script_(std::move(script)),
          server_(HttpServer::on_loopback(
              0, [this](const HttpRequest& request, ResponseWriter& writer) { serve(request, writer); }, {})) {}

    [[nodiscard]] std::string base_url() const { return "http://127.0.0.1:" + std::to_string(server_->port()) + "/v1"; }

    [[nodiscard]] std::vector<HttpRequest> requests() const {
        const std::scoped_lock lock(mutex_);
        return requests_;
    }

  private:
    void serve(const HttpRequest& request, ResponseWriter& writer) {
        HttpHandler step;
        {
            const std::scoped_lock lock(mutex_);
            step = script_[std::min(requests_.size(), script_.size() - 1)];
            requests_.push_back(request);
        }
        step(request, writer);
    }

    mutable std::mutex mutex_;
    std::vector<HttpHandler> script_;
    std::vector<HttpRequest> requests_;
    std::unique_ptr<HttpServer> server_;
};

}  // namespace pasb::testing
