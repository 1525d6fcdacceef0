#include "net/http_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "model/errors.hpp"
#include "net/await.hpp"

namespace pasb {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Socket = asio::generic::stream_protocol::socket;
using boost::system::error_code;

constexpr int backlog = 128;

NetError system_failure(const std::string& what) {
    return {NetError::Kind::connect, what + ": " + std::strerror(errno)};
}

// A file descriptor that is closed with its owner.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    [[nodiscard]] int get() const { return fd_; }

  private:
    int fd_;
};

Descriptor listen_unix(const std::string& path, unsigned mode) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) {
        throw NetError(NetError::Kind::connect, path + ": a Unix socket path can have 107 bytes at most");
    }
    std::memcpy(address.sun_path, path.data(), path.size());
    Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    ::unlink(path.c_str());
    // The mode is set between bind and listen: nobody can connect with the wrong one in force.
    if (listener.get() < 0 ||
        ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        ::chmod(path.c_str(), mode) != 0 || ::listen(listener.get(), backlog) != 0) {
        throw system_failure(path + ": listen");
    }
    return listener;
}

Descriptor listen_loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int reuse = 1;
    if (listener.get() < 0 || ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse)) != 0 ||
        ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        ::listen(listener.get(), backlog) != 0) {
        throw system_failure("127.0.0.1:" + std::to_string(port) + ": listen");
    }
    return listener;
}

std::uint16_t port_of(int fd) {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        throw system_failure("getsockname");
    }
    return ntohs(address.sin_port);
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

HttpRequest from_beast(http::request<http::string_body>&& message) {
    HttpRequest request;
    request.method = std::string(message.method_string().data(), message.method_string().size());
    request.target = std::string(message.target().data(), message.target().size());
    for (const auto& field : message) {
        std::string& value = request.headers[lower({field.name_string().data(), field.name_string().size()})];
        value += (value.empty() ? "" : ", ") + std::string(field.value().data(), field.value().size());
    }
    request.body = std::move(message.body());
    return request;
}

// Two ways to tell a body's length invite two readings of it; so does a coding other than chunked.
bool ambiguous_framing(const http::request<http::string_body>& head, bool chunked) {
    const bool coded = head.count(http::field::transfer_encoding) > 0;
    return (coded && head.count(http::field::content_length) > 0) || (coded && !chunked) ||
           head.count(http::field::content_length) > 1 || head.count(http::field::transfer_encoding) > 1;
}

int status_of(const error_code& error) {
    if (error == http::error::body_limit) {
        return 413;
    }
    return error == http::error::header_limit ? 431 : 400;
}

bool is_parse_error(const error_code& error) {
    return error.category() == http::make_error_code(http::error::bad_value).category() &&
           error != http::error::end_of_stream && error != http::error::partial_message;
}

// One connection: reads requests, hands them on, writes answers. Lives on its own thread.
class Connection : public ResponseWriter {
  public:
    Connection(int fd, const HttpServer::Limits& limits, std::stop_token stop)
        : limits_(limits), stop_(std::move(stop)), socket_(io_) {
        // Neither call fails for a connected stream socket of whichever family; the protocol only labels it.
        socket_.assign(asio::generic::stream_protocol(family_of(fd), 0), fd);
    }

    void serve(const HttpHandler& handler) {
        while (!stop_.stop_requested() && serve_one(handler)) {
        }
    }

    // Ends the connection at once, although the server holds a copy of its descriptor.
    ~Connection() override {
        error_code ignored;
        socket_.shutdown(Socket::shutdown_both, ignored);
    }

    void send(const HttpResponse& response) override {
        http::response<http::string_body> message;
        message.version(11);
        message.result(static_cast<unsigned>(response.status));
        for (const auto& [name, value] : response.headers) {
            message.set(name, value);
        }
        message.body() = response.body;
        message.content_length(response.body.size());
        message.keep_alive(keep_alive_);
        answered_ = true;
        check(wait(limits_.write, "send the answer",
                   [&](auto handler) { http::async_write(socket_, message, std::move(handler)); }));
    }

    void begin(int status, const std::map<std::string, std::string>& headers) override {
        std::string head = "HTTP/1.1 " + std::to_string(status) + " " + reason(status) + "\r\n";
        for (const auto& [name, value] : headers) {
            head.append(name).append(": ").append(value).append("\r\n");
        }
        head += keep_alive_ ? "" : "Connection: close\r\n";
        head += "Transfer-Encoding: chunked\r\n\r\n";
        open_ = true;
        write_raw(head);
    }

    void write(std::string_view piece) override {
        if (piece.empty()) {
            return;
        }
        static constexpr std::string_view digits = "0123456789abcdef";
        std::string size;
        for (std::size_t left = piece.size(); left > 0; left /= 16) {
            size.insert(size.begin(), digits[left % 16]);
        }
        write_raw(size + "\r\n" + std::string(piece) + "\r\n");
    }

    void end() override {
        write_raw("0\r\n\r\n");
        open_ = false;
        answered_ = true;
    }

    [[nodiscard]] std::stop_token stop() const override { return stop_; }

  private:
    static int family_of(int fd) {
        sockaddr_storage address{};
        socklen_t size = sizeof(address);
        return ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? address.ss_family : AF_UNSPEC;
    }

    static std::string reason(int status) {
        const auto text = http::obsolete_reason(static_cast<http::status>(status));
        return {text.data(), text.size()};
    }

    // Returns whether the connection can take another request.
    bool serve_one(const HttpHandler& handler) {
        http::request_parser<http::string_body> parser;
        parser.header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
        parser.body_limit(limits_.body_bytes);
        keep_alive_ = false;
        answered_ = open_ = false;
        const auto head = wait(limits_.idle, "wait for a request",
                               [&](auto done) { http::async_read_header(socket_, buffer_, parser, std::move(done)); });
        if (head.error) {
            return refuse(head.error);
        }
        if (ambiguous_framing(parser.get(), parser.chunked())) {
            send_error(400);
            return false;
        }
        if (lower_field(parser.get(), http::field::expect) == "100-continue") {
            write_raw("HTTP/1.1 100 Continue\r\n\r\n");
        }
        const auto body = wait(limits_.idle, "wait for a request's body",
                               [&](auto done) { http::async_read(socket_, buffer_, parser, std::move(done)); });
        if (body.error) {
            return refuse(body.error);
        }
        keep_alive_ = parser.keep_alive();
        handle(handler, from_beast(parser.release()));
        return keep_alive_ && answered_ && !open_;
    }

    void handle(const HttpHandler& handler, const HttpRequest& request) {
        try {
            handler(request, *this);
        } catch (const NetError&) {
            // The peer has gone: nobody is left to be told.
            keep_alive_ = false;
            return;
        } catch (const std::exception&) {
            keep_alive_ = false;
            if (!answered_ && !open_) {
                send_error(500);
            }
            return;
        }
        // A handler that began a stream and did not end it wants the peer to see it broken off.
        if (!answered_ && !open_) {
            send_error(500);
        }
    }

    bool refuse(const error_code& error) {
        if (is_parse_error(error)) {
            send_error(status_of(error));
        }
        return false;
    }

    void send_error(int status) {
        keep_alive_ = false;
        send({status, {{"content-type", "text/plain"}}, reason(status) + "\n"});
    }

    static std::string lower_field(const http::request<http::string_body>& head, http::field name) {
        const auto value = head[name];
        return lower({value.data(), value.size()});
    }

    void write_raw(const std::string& bytes) {
        check(wait(limits_.write, "send the answer",
                   [&](auto handler) { asio::async_write(socket_, asio::buffer(bytes), std::move(handler)); }));
    }

    template <typename Start>
    net::Awaited wait(std::chrono::milliseconds span, const char* what, Start&& start) {
        return net::await(io_, Deadline::after(span, stop_), what, std::forward<Start>(start), [this] {
            error_code ignored;
            socket_.close(ignored);
        });
    }

    static void check(const net::Awaited& awaited) {
        if (awaited.error) {
            throw NetError(NetError::Kind::closed, "the peer has gone: " + awaited.error.message());
        }
    }

    const HttpServer::Limits& limits_;
    std::stop_token stop_;
    asio::io_context io_{1};
    Socket socket_;
    boost::beast::flat_buffer buffer_;
    bool keep_alive_ = false;
    bool answered_ = false;
    bool open_ = false;  // a stream has begun and not ended
};

// Accepts on one thread, which also watches the connections for peers that hang up.
class Server : public HttpServer {
  public:
    Server(Descriptor listener, std::uint16_t port, std::string unix_path, HttpHandler handler, Limits limits)
        : limits_(limits),
          handler_(std::move(handler)),
          port_(port),
          unix_path_(std::move(unix_path)),
          listener_(std::move(listener)),
          wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (wake_.get() < 0) {
            throw system_failure("eventfd");
        }
        acceptor_ = std::jthread([this](const std::stop_token& stop) { accept_loop(stop); });
    }

    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    ~Server() override {
        acceptor_.request_stop();
        wake();
        acceptor_.join();
        if (!unix_path_.empty()) {
            ::unlink(unix_path_.c_str());
        }
        std::map<std::uint64_t, Peer> peers;
        {
            const std::scoped_lock lock(mutex_);
            peers.swap(peers_);
        }
        for (auto& [id, peer] : peers) {
            peer.thread.request_stop();
        }
        // Joined by the destructors of the threads.
    }

    [[nodiscard]] std::uint16_t port() const override { return port_; }

  private:
    struct Peer {
        explicit Peer(Descriptor copy) : watched(std::move(copy)) {}
        Descriptor watched;  // a copy: stays valid until the connection's thread is joined, whatever the thread closes
        bool hung_up = false;
        std::shared_ptr<std::atomic<bool>> done = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread;
    };

    void wake() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof(one));
    }

    void accept_loop(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            reap();
            std::vector<std::uint64_t> ids;
            std::vector<pollfd> waits = waiting(ids);
            if (::poll(waits.data(), waits.size(), -1) < 0) {
                continue;
            }
            if (waits[0].revents != 0) {
                std::uint64_t count = 0;
                [[maybe_unused]] const auto got = ::read(wake_.get(), &count, sizeof(count));
            }
            for (std::size_t i = 0; i < ids.size(); ++i) {
                if (waits[i + 2].revents != 0) {
                    hang_up(ids[i]);
                }
            }
            if (waits[1].revents != 0) {
                accept_one();
            }
        }
    }

    // First the wake-up call, then the listener (only while there is room), then every connection that has not hung up.
    std::vector<pollfd> waiting(std::vector<std::uint64_t>& ids) {
        const std::scoped_lock lock(mutex_);
        std::vector<pollfd> waits;
        waits.push_back({wake_.get(), POLLIN, 0});
        waits.push_back({peers_.size() < limits_.connections ? listener_.get() : -1, POLLIN, 0});
        for (const auto& [id, peer] : peers_) {
            if (!peer.hung_up) {
                ids.push_back(id);
                waits.push_back({peer.watched.get(), 0, 0});  // no events asked for: POLLHUP and POLLERR come anyway
            }
        }
        return waits;
    }

    void hang_up(std::uint64_t id) {
        const std::scoped_lock lock(mutex_);
        if (const auto peer = peers_.find(id); peer != peers_.end()) {
            peer->second.hung_up = true;
            peer->second.thread.request_stop();
        }
    }

    void accept_one() {
        const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            return;
        }
        const std::scoped_lock lock(mutex_);
        Peer& peer = peers_.try_emplace(next_id_++, Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0))).first->second;
        peer.thread = std::jthread([this, fd, done = peer.done](const std::stop_token& stop) {
            serve(fd, stop);
            done->store(true);
            wake();
        });
    }

    void serve(int fd, const std::stop_token& stop) {
        try {
            Connection(fd, limits_, stop).serve(handler_);
        } catch (const NetError&) {
            // Idle too long, or gone while being refused: the connection just ends.
        }
    }

    // Joins the threads whose connection is over.
    void reap() {
        const std::scoped_lock lock(mutex_);
        for (auto peer = peers_.begin(); peer != peers_.end();) {
            peer = peer->second.done->load() ? peers_.erase(peer) : std::next(peer);
        }
    }

    const Limits limits_;
    const HttpHandler handler_;
    const std::uint16_t port_;
    const std::string unix_path_;
    const Descriptor listener_;
    const Descriptor wake_;
    std::mutex mutex_;
    std::map<std::uint64_t, Peer> peers_;
    std::uint64_t next_id_ = 0;
    std::jthread acceptor_;
};

}  // namespace

std::unique_ptr<HttpServer> HttpServer::on_unix(const std::string& path, unsigned mode, HttpHandler handler,
                                                Limits limits) {
    return std::make_unique<Server>(listen_unix(path, mode), std::uint16_t{0}, path, std::move(handler), limits);
}

std::unique_ptr<HttpServer> HttpServer::on_loopback(std::uint16_t port, HttpHandler handler, Limits limits) {
    Descriptor listener = listen_loopback(port);
    const std::uint16_t bound = port_of(listener.get());
    return std::make_unique<Server>(std::move(listener), bound, std::string{}, std::move(handler), limits);
}

}  // namespace pasb
