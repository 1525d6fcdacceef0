#include "net/http_client.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <future>
#include <thread>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"
#include "net/http_server.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using testing::TemporaryFolder;

// What `call` throws; nothing where it throws no NetError.
std::optional<NetError::Kind> kind_of(const std::function<void()>& call) {
    try {
        call();
        return std::nullopt;
    } catch (const NetError& error) {
        return error.kind();
    }
}

// A peer that speaks HTTP properly.
class Peer {
  public:
    explicit Peer(HttpHandler handler, HttpServer::Limits limits = {})
        : server_(HttpServer::on_unix(path(), 0600, std::move(handler), limits)) {}
    [[nodiscard]] Endpoint endpoint() const {
        Endpoint endpoint;
        endpoint.unix_path = path();
        return endpoint;
    }

  private:
    [[nodiscard]] std::string path() const { return (folder_.path() / "peer.sock").string(); }
    TemporaryFolder folder_;
    std::unique_ptr<HttpServer> server_;
};

// A peer that reads one request's head and then writes these bytes, whatever they are, and hangs up.
class RawPeer {
  public:
    explicit RawPeer(std::string answer) : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = endpoint().unix_path;
        std::memcpy(address.sun_path, path.data(), path.size());
        if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
            ::listen(listener_, 4) != 0) {
            throw std::runtime_error("listen");
        }
        thread_ = std::jthread([this, bytes = std::move(answer)] {
            const int fd = ::accept(listener_, nullptr, nullptr);
            std::string request;
            char piece[4096];
            while (request.find("\r\n\r\n") == std::string::npos) {
                const auto got = ::read(fd, piece, sizeof(piece));
                if (got <= 0) {
                    break;
                }
                request.append(piece, static_cast<std::size_t>(got));
            }
            for (std::size_t sent = 0; sent < bytes.size();) {
                const auto wrote = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
                if (wrote <= 0) {
                    break;
                }
                sent += static_cast<std::size_t>(wrote);
            }
            ::close(fd);
        });
    }
    ~RawPeer() {
        ::shutdown(listener_, SHUT_RDWR);  // wakes an accept that nobody came for
        thread_.join();
        ::close(listener_);
    }
    RawPeer(const RawPeer&) = delete;
    RawPeer& operator=(const RawPeer&) = delete;

    [[nodiscard]] Endpoint endpoint() const {
        Endpoint endpoint;
        endpoint.unix_path = (folder_.path() / "raw.sock").string();
        return endpoint;
    }

  private:
    TemporaryFolder folder_;
    int listener_;
    std::jthread thread_;
};

// Holds its request until the client gives up.
void stall(const HttpRequest&, ResponseWriter& writer) {
    while (!writer.stop().stop_requested()) {
        std::this_thread::sleep_for(10ms);
    }
}

TEST(HttpClient, SendsWhatItIsGivenAndReadsTheAnswer) {
    HttpRequest seen;
    const Peer peer([&](const HttpRequest& request, ResponseWriter& writer) {
        seen = request;
        writer.send({404, {{"X-Answer", "yes"}}, "no such thing"});
    });
    const HttpResponse response = http_request(
        peer.endpoint(), {"POST", "/a/b?c=%20d", {{"X-Ask", "me"}}, std::string("b\0dy", 4)}, Deadline::after(10s));
    EXPECT_EQ(response.status, 404) << "an error status is an answer";
    EXPECT_EQ(response.headers.at("x-answer"), "yes");
    EXPECT_EQ(response.body, "no such thing");
    EXPECT_EQ(seen.method, "POST");
    EXPECT_EQ(seen.target, "/a/b?c=%20d");
    EXPECT_EQ(seen.headers.at("x-ask"), "me");
    EXPECT_EQ(seen.body, std::string("b\0dy", 4));
}

TEST(HttpClient, SpeaksOverLoopbackToo) {
    const auto server = HttpServer::on_loopback(0,
                                                [](const HttpRequest& request, ResponseWriter& writer) {
                                                    writer.send({200, {}, request.headers.at("host")});
                                                },
                                                {});
    const BaseUrl base = parse_base_url("http://localhost:" + std::to_string(server->port()));
    EXPECT_EQ(http_request(base.endpoint, {"GET", "/", {}, {}}, Deadline::after(10s)).status, 200);
}

TEST(HttpClient, ADeadlineEndsTheWait) {
    const Peer peer(stall);
    const auto begin = Clock::now();
    EXPECT_EQ(kind_of([&] { http_request(peer.endpoint(), {}, Deadline::after(300ms)); }), NetError::Kind::timeout);
    EXPECT_LT(Clock::now() - begin, 2s);
}

TEST(HttpClient, ADeadlineThatHasPassedSendsNothing) {
    bool asked = false;
    const Peer peer([&](const HttpRequest&, ResponseWriter& writer) {
        asked = true;
        writer.send({200, {}, {}});
    });
    EXPECT_EQ(kind_of([&] { http_request(peer.endpoint(), {}, Deadline::after(0ms)); }), NetError::Kind::timeout);
    EXPECT_FALSE(asked);
}

TEST(HttpClient, AStopSignalEndsTheWaitWithinASecond) {
    const Peer peer(stall);
    std::stop_source stop;
    auto call = std::async(std::launch::async, [&] {
        return kind_of([&] { http_request(peer.endpoint(), {}, Deadline::after(60s, stop.get_token())); });
    });
    std::this_thread::sleep_for(200ms);
    const auto begin = Clock::now();
    stop.request_stop();
    EXPECT_EQ(call.get(), NetError::Kind::cancelled);
    EXPECT_LT(Clock::now() - begin, 1s);
}

TEST(HttpClient, ReadsAChunkedAnswer) {
    const Peer peer([](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, {{"content-type", "text/plain"}});
        writer.write("one ");
        writer.write(std::string(100'000, 'x'));
        writer.write(" two");
        writer.end();
    });
    EXPECT_EQ(http_request(peer.endpoint(), {}, Deadline::after(10s)).body,
              "one " + std::string(100'000, 'x') + " two");
}

TEST(HttpClient, ABodyBeyondTheLimitIsRefusedWhetherItsLengthIsToldOrNot) {
    const Peer told([](const HttpRequest&, ResponseWriter& writer) { writer.send({200, {}, std::string(5000, 'x')}); });
    EXPECT_EQ(kind_of([&] { http_request(told.endpoint(), {}, Deadline::after(10s), 4999); }),
              NetError::Kind::protocol);
    EXPECT_EQ(http_request(told.endpoint(), {}, Deadline::after(10s), 5000).body.size(), 5000U);
    const Peer chunked([](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, {});
        for (int i = 0; i < 50; ++i) {
            writer.write(std::string(100, 'x'));
        }
        writer.end();
    });
    EXPECT_EQ(kind_of([&] { http_request(chunked.endpoint(), {}, Deadline::after(10s), 4999); }),
              NetError::Kind::protocol);
}

TEST(HttpClient, AnAnswerBrokenOffIsNoAnswer) {
    for (const std::string& bytes :
         {std::string(), std::string("HTTP/1.1 200 OK\r\nContent-"),
          std::string("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive5"),
          std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfive5\r\n")}) {
        const RawPeer peer(bytes);
        EXPECT_EQ(kind_of([&] { http_request(peer.endpoint(), {}, Deadline::after(10s)); }), NetError::Kind::closed)
            << bytes;
    }
}

TEST(HttpClient, BytesThatAreNoHttpAreAProtocolError) {
    const RawPeer peer("SSH-2.0-OpenSSH_9.2\r\n\r\n");
    EXPECT_EQ(kind_of([&] { http_request(peer.endpoint(), {}, Deadline::after(10s)); }), NetError::Kind::protocol);
    const RawPeer endless("HTTP/1.1 200 OK\r\nX: " + std::string(200'000, 'x'));
    EXPECT_EQ(kind_of([&] { http_request(endless.endpoint(), {}, Deadline::after(10s)); }), NetError::Kind::protocol);
}

TEST(HttpClient, NobodyListens) {
    const TemporaryFolder folder;
    Endpoint endpoint;
    endpoint.unix_path = (folder.path() / "nobody.sock").string();
    EXPECT_EQ(kind_of([&] { http_request(endpoint, {}, Deadline::after(10s)); }), NetError::Kind::connect);
    endpoint.unix_path = "/tmp/" + std::string(120, 'x');
    EXPECT_EQ(kind_of([&] { http_request(endpoint, {}, Deadline::after(10s)); }), NetError::Kind::connect);
}

TEST(HttpClient, AnAnswerWithoutBodyIsNotWaitedFor) {
    const RawPeer head("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
    EXPECT_EQ(http_request(head.endpoint(), {"HEAD", "/", {}, {}}, Deadline::after(10s)).status, 200);
    const RawPeer none("HTTP/1.1 304 Not Modified\r\n\r\n");
    EXPECT_EQ(http_request(none.endpoint(), {}, Deadline::after(10s)).status, 304);
}

TEST(HttpHijack, ReturnsWhatComesAfterTheUpgrade) {
    const Deadline deadline = Deadline::after(10s);
    const HttpRequest request{"POST", "/exec/1/start", {}, "{}"};
    const std::string raw("\1\0\0\0\0\0\0\5hello", 13);
    const RawPeer upgraded("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n" + raw);
    EXPECT_EQ(http_hijack(upgraded.endpoint(), request, deadline, 1000), raw);
    const RawPeer plain("HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\n" + raw);
    EXPECT_EQ(http_hijack(plain.endpoint(), request, deadline, 1000), raw);
    const RawPeer silent("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    EXPECT_EQ(http_hijack(silent.endpoint(), request, deadline, 1000), "");
}

TEST(HttpHijack, StopsAtItsLimit) {
    const RawPeer peer("HTTP/1.1 101 UPGRADED\r\n\r\n" + std::string(1'000'000, 'x'));
    EXPECT_EQ(http_hijack(peer.endpoint(), {"POST", "/", {}, {}}, Deadline::after(10s), 1000).size(), 1000U);
}

TEST(HttpHijack, ARefusalSaysWhy) {
    const RawPeer peer("HTTP/1.1 409 Conflict\r\nContent-Length: 8\r\n\r\nnot now\n");
    try {
        http_hijack(peer.endpoint(), {"POST", "/", {}, {}}, Deadline::after(10s), 1000);
        FAIL() << "accepted";
    } catch (const NetError& error) {
        EXPECT_EQ(error.kind(), NetError::Kind::protocol);
        EXPECT_NE(std::string(error.what()).find("409: not now"), std::string::npos) << error.what();
    }
}

TEST(HttpUpload, SendsAFileWhole) {
    const TemporaryFolder folder;
    std::string content;
    for (int i = 0; i < 300'000; ++i) {
        content += static_cast<char>(i % 251);
    }
    folder.write("image.tar", content);
    HttpRequest seen;
    const Peer peer([&](const HttpRequest& request, ResponseWriter& writer) {
        seen = request;
        writer.send({200, {}, "loaded"});
    });
    const HttpRequest request{"POST", "/images/load", {{"Content-Type", "application/x-tar"}}, {}};
    EXPECT_EQ(http_upload(peer.endpoint(), request, (folder.path() / "image.tar").string(), Deadline::after(10s)).body,
              "loaded");
    EXPECT_EQ(seen.body, content);
    EXPECT_EQ(seen.headers.at("content-type"), "application/x-tar");
    EXPECT_THROW(http_upload(peer.endpoint(), request, (folder.path() / "none").string(), Deadline::after(10s)),
                 InputError);
}

TEST(HttpUpload, ARefusalInTheMiddleIsTheAnswer) {
    const TemporaryFolder folder;
    folder.write("image.tar", std::string(4'000'000, 'x'));
    HttpServer::Limits limits;
    limits.body_bytes = 1000;
    const Peer peer([](const HttpRequest&, ResponseWriter& writer) { writer.send({200, {}, {}}); }, limits);
    const auto kind = kind_of([&] {
        const HttpResponse response = http_upload(peer.endpoint(), {"POST", "/", {}, {}},
                                                  (folder.path() / "image.tar").string(), Deadline::after(10s));
        EXPECT_EQ(response.status, 413);
    });
    // Whether the answer or the broken connection is seen first is up to the kernel; it is never a success or a hang.
    EXPECT_TRUE(!kind || *kind == NetError::Kind::closed);
}

TEST(HttpDownload, HandsOverTheBodyInPieces) {
    const Peer peer([](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, {});
        for (int i = 0; i < 20; ++i) {
            writer.write(std::string(50'000, static_cast<char>('a' + i)));
        }
        writer.end();
    });
    HttpDownload download(peer.endpoint(), {}, Deadline::after(10s));
    EXPECT_EQ(download.head().status, 200);
    std::size_t total = 0;
    for (std::string_view piece = download.next(); !piece.empty(); piece = download.next()) {
        total += piece.size();
    }
    EXPECT_EQ(total, 1'000'000U);
    EXPECT_TRUE(download.next().empty());
}

TEST(HttpDownload, CanBeLeftEarlyAndThePeerNotices) {
    std::promise<void> noticed;
    const Peer peer([&](const HttpRequest&, ResponseWriter& writer) {
        try {
            writer.begin(200, {});
            while (true) {
                writer.write(std::string(10'000, 'x'));
            }
        } catch (const NetError&) {
            noticed.set_value();
            throw;
        }
    });
    {
        HttpDownload download(peer.endpoint(), {}, Deadline::after(10s));
        EXPECT_FALSE(download.next().empty());
    }
    EXPECT_EQ(noticed.get_future().wait_for(5s), std::future_status::ready);
}

TEST(HttpDownload, ASinkThatHasEnoughEndsTheStream) {
    const Peer peer([](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, {});
        for (int i = 0; i < 100; ++i) {
            writer.write(std::string(100'000, 'x'));
        }
        writer.end();
    });
    int pieces = 0;
    const HttpResponse head = http_stream(
        peer.endpoint(), {}, Deadline::after(10s), [](const HttpResponse&) {},
        [&](std::string_view) { return ++pieces < 3; });
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(pieces, 3);
}

TEST(HttpDownload, KeepsItsDeadlineBetweenPieces) {
    const Peer peer([](const HttpRequest& request, ResponseWriter& writer) {
        writer.begin(200, {});
        writer.write("first");
        stall(request, writer);
    });
    HttpDownload download(peer.endpoint(), {}, Deadline::after(500ms));
    EXPECT_EQ(download.next(), "first");
    EXPECT_EQ(kind_of([&] { download.next(); }), NetError::Kind::timeout);
}

TEST(HttpDownload, ABodyBrokenOffIsNotItsEnd) {
    const RawPeer peer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive5");
    HttpDownload download(peer.endpoint(), {}, Deadline::after(10s));
    EXPECT_EQ(download.next(), "five5");
    EXPECT_EQ(kind_of([&] { download.next(); }), NetError::Kind::closed);
}

}  // namespace
}  // namespace pasb
