// One HTTP/1.1 request over a Unix socket, TCP or TLS, blocking until its deadline. A connection a request; no pool, no
// redirects.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/deadline.hpp"
#include "net/http_message.hpp"

namespace pasb {

// Where a server listens. `unix_path` wins when set.
struct Endpoint {
    std::string unix_path;
    std::string host;
    std::string port;
    bool tls = false;

    [[nodiscard]] std::string text() const;  // for messages
};

// A base URL cut into its endpoint and path prefix ("http://host:8000/v1" -> prefix "/v1").
struct BaseUrl {
    Endpoint endpoint;
    std::string prefix;  // no trailing slash
};

// Accepts http://, https:// and unix:///path. Throws InputError.
BaseUrl parse_base_url(std::string_view url);

inline constexpr std::size_t default_body_limit = 64U << 20U;

// Sends the request and reads the whole answer. Throws NetError (connect, timeout, closed, protocol, cancelled); an
// HTTP error status is a normal answer.
HttpResponse http_request(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline,
                          std::size_t body_limit = default_body_limit);

// An answer whose body is read piece by piece by whoever wants it. Keeps the deadline it was opened with.
class HttpDownload {
  public:
    HttpDownload(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline);
    ~HttpDownload();
    HttpDownload(const HttpDownload&) = delete;
    HttpDownload& operator=(const HttpDownload&) = delete;

    [[nodiscard]] const HttpResponse& head() const;  // status and headers
    // The next bytes of the body, valid until the next call; empty at its end. Throws as http_request.
    std::string_view next();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// As http_request, but hands each piece of the body to `sink` as it arrives (body stays empty). `head` is called once
// with status and headers before the first piece. A sink that returns false ends the exchange early without an error.
using BodySink = std::function<bool(std::string_view piece)>;
using HeadSink = std::function<void(const HttpResponse& head)>;
HttpResponse http_stream(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline,
                         const HeadSink& head, const BodySink& sink);

// As http_request with the content of a file as the body, read in pieces: images are larger than memory should be.
HttpResponse http_upload(const Endpoint& endpoint, const HttpRequest& request, const std::string& file,
                         const Deadline& deadline);

// Sends `request` with an Upgrade to raw TCP (the engine's attach protocol) and returns all bytes until the peer
// closes, at most `limit`.
std::string http_hijack(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline,
                        std::size_t limit);

}  // namespace pasb
