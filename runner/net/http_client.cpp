#include "net/http_client.hpp"

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "model/errors.hpp"
#include "net/await.hpp"

namespace pasb {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::generic::stream_protocol;
using boost::system::error_code;
using PlainStream = stream_protocol::socket;
using TlsStream = asio::ssl::stream<PlainStream&>;

constexpr std::size_t piece_bytes = 64U << 10U;
constexpr std::size_t header_bytes = 64U << 10U;

NetError failure(NetError::Kind kind, const std::string& what, const error_code& error) {
    return {kind, what + ": " + error.message()};
}

// One connection for one request, plain or TLS.
class Connection {
  public:
    Connection(const Endpoint& endpoint, const Deadline& deadline)
        : deadline_(deadline), name_(endpoint.text()), socket_(io_) {
        if (!endpoint.unix_path.empty()) {
            connect_unix(endpoint.unix_path);
            return;
        }
        connect_tcp(endpoint);
        if (endpoint.tls) {
            start_tls(endpoint.host);
        }
    }

    // A file body is read while it is sent, so its message is not const.
    template <typename Message>
    void write(Message&& message) {
        http::request_serializer<typename std::decay_t<Message>::body_type> serializer(message);
        const auto wrote = with_stream([&](auto& stream) {
            return wait("send", [&](auto handler) { http::async_write(stream, serializer, std::move(handler)); });
        });
        check(wrote.error, "send");
    }

    template <typename Body>
    void read_header(http::response_parser<Body>& parser) {
        const auto read = with_stream([&](auto& stream) {
            return wait("wait for the answer",
                        [&](auto handler) { http::async_read_header(stream, buffer_, parser, std::move(handler)); });
        });
        check(read.error, "read the answer");
    }

    template <typename Body>
    void read_all(http::response_parser<Body>& parser) {
        const auto read = with_stream([&](auto& stream) {
            return wait("wait for the answer",
                        [&](auto handler) { http::async_read(stream, buffer_, parser, std::move(handler)); });
        });
        check(read.error, "read the answer");
    }

    // Reads what is there into the parser's buffer body. Returns when at least one byte came or the message ended.
    void read_piece(http::response_parser<http::buffer_body>& parser) {
        const auto read = with_stream([&](auto& stream) {
            return wait("wait for more of the answer",
                        [&](auto handler) { http::async_read_some(stream, buffer_, parser, std::move(handler)); });
        });
        if (read.error && read.error != http::error::need_buffer) {
            check(read.error, "read the answer");
        }
    }

    // Raw bytes after an upgrade; empty at the end of the stream.
    std::string read_raw() {
        if (buffer_.size() > 0) {
            const auto data = buffer_.data();
            std::string bytes(static_cast<const char*>(data.data()), data.size());
            buffer_.consume(buffer_.size());
            return bytes;
        }
        std::string bytes(piece_bytes, '\0');
        const auto read = wait("wait for more output", [&](auto handler) {
            socket_.async_read_some(asio::buffer(bytes.data(), bytes.size()), std::move(handler));
        });
        if (read.error && read.error != asio::error::eof) {
            check(read.error, "read the output");
        }
        bytes.resize(read.bytes);
        return bytes;
    }

  private:
    template <typename Start>
    net::Awaited wait(const char* step, Start&& start) {
        return net::await(io_, deadline_, name_ + ": " + step, std::forward<Start>(start), [this] {
            error_code ignored;
            socket_.close(ignored);
        });
    }

    template <typename Use>
    net::Awaited with_stream(Use&& use) {
        return tls_ ? use(*tls_) : use(socket_);
    }

    void check(const error_code& error, const char* step) const {
        if (!error) {
            return;
        }
        const bool closed = error == asio::error::eof || error == http::error::end_of_stream ||
                            error == http::error::partial_message || error == asio::error::connection_reset ||
                            error == asio::error::broken_pipe || error == asio::ssl::error::stream_truncated;
        throw failure(closed ? NetError::Kind::closed : NetError::Kind::protocol, name_ + ": " + step, error);
    }

    void connect_unix(const std::string& path) {
        if (path.size() > 107) {
            throw NetError(NetError::Kind::connect, path + ": a Unix socket path can have 107 bytes at most");
        }
        connect_to(stream_protocol::endpoint(asio::local::stream_protocol::endpoint(path)));
    }

    void connect_to(const stream_protocol::endpoint& address) {
        const auto connected = wait("connect", [&](auto handler) {
            socket_.async_connect(address, [handler](error_code error) mutable { handler(error, 0); });
        });
        if (connected.error) {
            throw failure(NetError::Kind::connect, name_ + ": connect", connected.error);
        }
    }

    void connect_tcp(const Endpoint& endpoint) {
        asio::ip::tcp::resolver resolver(io_);
        asio::ip::tcp::resolver::results_type found;
        const auto resolved = net::await(
            io_, deadline_, name_ + ": resolve",
            [&](auto handler) {
                resolver.async_resolve(endpoint.host, endpoint.port,
                                       [handler, &found](error_code error, auto results) mutable {
                                           found = std::move(results);
                                           handler(error, 0);
                                       });
            },
            [&] { resolver.cancel(); });
        if (resolved.error) {
            throw failure(NetError::Kind::connect, name_ + ": resolve", resolved.error);
        }
        std::optional<NetError> last;
        for (const auto& entry : found) {
            try {
                connect_to(stream_protocol::endpoint(entry.endpoint()));
                return;
            } catch (const NetError& error) {
                if (error.kind() != NetError::Kind::connect) {
                    throw;
                }
                last = error;
                error_code ignored;
                socket_.close(ignored);
            }
        }
        throw last ? *last : NetError(NetError::Kind::connect, name_ + ": resolves to no address");
    }

    void start_tls(const std::string& host) {
        context_.emplace(asio::ssl::context::tls_client);
        context_->set_default_verify_paths();
        context_->set_verify_mode(asio::ssl::verify_peer);
        tls_.emplace(socket_, *context_);
        tls_->set_verify_callback(asio::ssl::host_name_verification(host));
        std::string server_name = host;  // OpenSSL's own macro for this uses a C cast
        SSL_ctrl(tls_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, server_name.data());
        const auto shaken = wait("TLS handshake", [&](auto handler) {
            tls_->async_handshake(asio::ssl::stream_base::client,
                                  [handler](error_code error) mutable { handler(error, 0); });
        });
        if (shaken.error) {
            throw failure(NetError::Kind::connect, name_ + ": TLS handshake", shaken.error);
        }
    }

    const Deadline& deadline_;
    std::string name_;
    asio::io_context io_{1};
    PlainStream socket_;
    std::optional<asio::ssl::context> context_;
    std::optional<TlsStream> tls_;
    boost::beast::flat_buffer buffer_;
};

template <typename Body>
http::request<Body> head_to_beast(const Endpoint& endpoint, const HttpRequest& request) {
    http::request<Body> message;
    message.method_string(request.method);
    message.target(request.target);
    message.version(11);
    message.set(http::field::host, endpoint.unix_path.empty() ? endpoint.host : "localhost");
    message.set(http::field::connection, "close");
    for (const auto& [name, value] : request.headers) {
        message.set(name, value);
    }
    return message;
}

http::request<http::string_body> to_beast(const Endpoint& endpoint, const HttpRequest& request) {
    auto message = head_to_beast<http::string_body>(endpoint, request);
    message.body() = request.body;
    if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
        message.content_length(request.body.size());
    }
    return message;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

template <typename Message>
HttpResponse head_of(const Message& message) {
    HttpResponse head;
    head.status = static_cast<int>(message.result_int());
    for (const auto& field : message) {
        head.headers[lower({field.name_string().data(), field.name_string().size()})] =
            std::string(field.value().data(), field.value().size());
    }
    return head;
}

bool is_port(std::string_view text) {
    unsigned port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && port > 0 && port <= 65535;
}

}  // namespace

std::string Endpoint::text() const {
    if (!unix_path.empty()) {
        return unix_path;
    }
    return host + ":" + port;
}

BaseUrl parse_base_url(std::string_view url) {
    BaseUrl base;
    const auto scheme_end = url.find("://");
    const std::string scheme(url.substr(0, scheme_end == std::string_view::npos ? 0 : scheme_end));
    if (scheme == "unix") {
        base.endpoint.unix_path = url.substr(scheme_end + 3);
        if (base.endpoint.unix_path.empty()) {
            throw InputError("'" + std::string(url) + "' names no socket: use unix:///path");
        }
        return base;
    }
    if (scheme != "http" && scheme != "https") {
        throw InputError("'" + std::string(url) + "' is not a base URL: use http://, https:// or unix:///path");
    }
    base.endpoint.tls = scheme == "https";
    std::string_view rest = url.substr(scheme_end + 3);
    const auto slash = rest.find('/');
    std::string_view authority = rest.substr(0, slash);
    if (slash != std::string_view::npos) {
        base.prefix = rest.substr(slash);
        while (base.prefix.ends_with('/')) {
            base.prefix.pop_back();
        }
    }
    // An IPv6 address stands in brackets, and its own colons do not begin the port.
    const auto bracket = authority.find(']');
    const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
    base.endpoint.host = authority.substr(0, colon);
    if (base.endpoint.host.starts_with('[') && base.endpoint.host.ends_with(']')) {
        base.endpoint.host = base.endpoint.host.substr(1, base.endpoint.host.size() - 2);
    }
    base.endpoint.port =
        colon == std::string_view::npos ? (base.endpoint.tls ? "443" : "80") : authority.substr(colon + 1);
    // The message must not repeat a password.
    if (authority.find('@') != std::string_view::npos) {
        throw InputError("a base URL must not carry a user name: use http://host:port/path");
    }
    if (base.endpoint.host.empty() || !is_port(base.endpoint.port)) {
        throw InputError("'" + std::string(url) +
                         "' names no host, or no port from 1 to 65535: use http://host:port/path");
    }
    return base;
}

HttpResponse http_request(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline,
                          std::size_t body_limit) {
    Connection connection(endpoint, deadline);
    connection.write(to_beast(endpoint, request));
    http::response_parser<http::string_body> parser;
    parser.header_limit(header_bytes);
    parser.body_limit(body_limit);
    parser.skip(request.method == "HEAD");
    connection.read_all(parser);
    HttpResponse response = head_of(parser.get());
    response.body = std::move(parser.get().body());
    return response;
}

struct HttpDownload::State {
    State(const Endpoint& endpoint, const Deadline& given) : deadline(given), connection(endpoint, deadline) {}

    Deadline deadline;
    Connection connection;
    http::response_parser<http::buffer_body> parser;
    HttpResponse head;
    std::string piece = std::string(piece_bytes, '\0');
};

HttpDownload::HttpDownload(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline)
    : state_(std::make_unique<State>(endpoint, deadline)) {
    state_->connection.write(to_beast(endpoint, request));
    state_->parser.header_limit(header_bytes);
    state_->parser.body_limit(boost::none);
    state_->connection.read_header(state_->parser);
    state_->head = head_of(state_->parser.get());
}

HttpDownload::~HttpDownload() = default;

const HttpResponse& HttpDownload::head() const {
    return state_->head;
}

std::string_view HttpDownload::next() {
    auto& parser = state_->parser;
    while (!parser.is_done()) {
        parser.get().body().data = state_->piece.data();
        parser.get().body().size = state_->piece.size();
        parser.get().body().more = true;
        state_->connection.read_piece(parser);
        const std::size_t got = state_->piece.size() - parser.get().body().size;
        if (got > 0) {
            return {state_->piece.data(), got};
        }
    }
    return {};
}

HttpResponse http_stream(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline,
                         const HeadSink& head, const BodySink& sink) {
    HttpDownload download(endpoint, request, deadline);
    head(download.head());
    for (std::string_view piece = download.next(); !piece.empty() && sink(piece);) {
        piece = download.next();
    }
    return download.head();
}

HttpResponse http_upload(const Endpoint& endpoint, const HttpRequest& request, const std::string& file,
                         const Deadline& deadline) {
    Connection connection(endpoint, deadline);
    auto message = head_to_beast<http::file_body>(endpoint, request);
    error_code error;
    message.body().open(file.c_str(), boost::beast::file_mode::scan, error);
    if (error) {
        throw InputError(file + ": cannot be read: " + error.message());
    }
    message.content_length(message.body().size());
    connection.write(message);
    http::response_parser<http::string_body> parser;
    parser.header_limit(header_bytes);
    connection.read_all(parser);
    HttpResponse response = head_of(parser.get());
    response.body = std::move(parser.get().body());
    return response;
}

std::string http_hijack(const Endpoint& endpoint, const HttpRequest& request, const Deadline& deadline,
                        std::size_t limit) {
    Connection connection(endpoint, deadline);
    auto message = to_beast(endpoint, request);
    message.set(http::field::connection, "Upgrade");
    message.set(http::field::upgrade, "tcp");
    connection.write(message);
    http::response_parser<http::string_body> parser;
    parser.header_limit(header_bytes);
    connection.read_header(parser);
    const int status = static_cast<int>(parser.get().result_int());
    if (status != 101 && status != 200) {
        connection.read_all(parser);
        throw NetError(NetError::Kind::protocol, endpoint.text() + ": attach answered status " +
                                                     std::to_string(status) + ": " +
                                                     parser.get().body().substr(0, 300));
    }
    std::string output;
    while (output.size() < limit) {
        const std::string bytes = connection.read_raw();
        if (bytes.empty()) {
            break;
        }
        output += bytes;
    }
    output.resize(std::min(output.size(), limit));
    return output;
}

}  // namespace pasb
