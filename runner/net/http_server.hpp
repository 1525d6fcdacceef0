// A small HTTP/1.1 server on a Unix socket (or a loopback port, for scripted peers in tests): a thread per connection,
// blocking handlers. Not a web server: no TLS, no pipelining; header and body sizes are limited, ambiguous framing is
// refused.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "net/http_message.hpp"

namespace pasb {

// What a handler answers through. Either `send` once, or `begin`, any number of `write`, and `end` (chunked).
// Every call throws NetError when the peer has gone.
class ResponseWriter {
  public:
    ResponseWriter() = default;
    ResponseWriter(const ResponseWriter&) = delete;
    ResponseWriter& operator=(const ResponseWriter&) = delete;
    virtual ~ResponseWriter() = default;
    virtual void send(const HttpResponse& response) = 0;
    virtual void begin(int status, const std::map<std::string, std::string>& headers) = 0;
    virtual void write(std::string_view piece) = 0;
    virtual void end() = 0;
    // Asked for when the server stops or the peer hangs up: long work should give up.
    [[nodiscard]] virtual std::stop_token stop() const = 0;
};

using HttpHandler = std::function<void(const HttpRequest& request, ResponseWriter& writer)>;

class HttpServer {
  public:
    struct Limits {
        std::size_t header_bytes = 64U << 10U;
        std::size_t body_bytes = 64U << 20U;
        std::size_t connections = 64;  // further ones wait in the backlog
        std::chrono::milliseconds idle{
            120'000};  // for a request to begin and to arrive whole; then the connection is closed
        std::chrono::milliseconds write{60'000};  // for the peer to take what is written
    };

    // Listens on a Unix socket with the given permission bits (an old socket file is replaced). Throws NetError.
    static std::unique_ptr<HttpServer> on_unix(const std::string& path, unsigned mode, HttpHandler handler,
                                               Limits limits);
    // Listens on 127.0.0.1, port 0 picks a free one.
    static std::unique_ptr<HttpServer> on_loopback(std::uint16_t port, HttpHandler handler, Limits limits);

    HttpServer() = default;
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    // Stops accepting, asks running handlers to stop, joins all threads.
    virtual ~HttpServer() = default;
    [[nodiscard]] virtual std::uint16_t port() const = 0;  // 0 for a Unix socket
};

}  // namespace pasb
