import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import TestSupport
import Testing

extension FaultRow {
  /// What lies between here and the server, and whether it is the right one.
  static let network = [
    FaultRow(
      23, "A server that does not speak HTTP/2", "Stops before the first request",
      .run(.nothingSent, fault: .elsewhere) { bench in
        try bench.serve(with: { $0.protocols = ["http/1.1"] })
        bench.books.causes = ["connecting", "alpn"]
        try bench.send(300)
      }),
    FaultRow(
      51, "A server certificate that is expired, for another name, or of nobody known",
      "Stops before the first request, and names what is wrong",
      badCertificate("expired", .init(validFrom: -7200, validUntil: -3600)),
      badCertificate("wrongName", .init(names: ["apns.example"])),
      .run(.nothingSent, "unknown", fault: .elsewhere) { bench in
        let server = try bench.serve()
        bench.target = DialTarget(host: "127.0.0.1", port: server.port)
        bench.books.causes = ["connecting", "untrusted"]
        try bench.send(300)
      }),
    FaultRow(
      52, "A server that speaks nothing after TLS 1.1", "Stops before the first request",
      .run(.nothingSent, fault: .elsewhere) { bench in
        let server = try OldServer(in: bench.folder)
        bench.target = server.target
        bench.books.causes = ["connecting", "protocol"]
        try bench.send(300)
      }),
    FaultRow(
      54, "A name that cannot be looked up", "Tries three times with growing gaps",
      .run(.boundedEnd, fault: .elsewhere) { bench in
        bench.target = DialTarget(host: "nowhere.invalid", timeoutMilliseconds: 5000)
        bench.books.causes = ["connecting", "dns"]
        try bench.send(300)
        #expect(bench.clock.pauses.count == 2)
      }),
    FaultRow(
      55, "An IPv6 address behind which nobody answers", "libcurl tries IPv4 200 ms later",
      omitted: "a name with two addresses, one of which drops packets, needs a resolver and a"
        + " network of one's own"),
    FaultRow(
      56, "Some of a name's addresses are dead", "libcurl goes on to the next address",
      omitted: "a name with several addresses needs a resolver of one's own"),
    FaultRow(
      57, "A proxy that refuses, talks nonsense, hangs up, is silent or drops the tunnel",
      "Names the proxy and what it said; no provider token is ever said to it",
      proxy("407", .refuses(status: 407)), proxy("502", .refuses(status: 502)),
      proxy("nonsense", .saysGarbage), proxy("hangs up", .hangsUp),
      proxy("silent", .keepsSilent, cause: "timeout"),
      .run(.atLeastOnce, "drops the tunnel", fault: .elsewhere) { bench in
        let streams = 100
        let server = try bench.serve(with: { $0.maxConcurrentStreams = streams }) { attempt in
          // All others may be answered when the tunnel goes.
          let isStill = attempt.push.connection == 1 && attempt.push.number == 50
          return isStill ? .processed(then: .swallow) : nil
        }
        let proxy = try TestProxy(.http, .drops(afterBytes: 30_000))
        bench.target = try bench.target(through: proxy)
        try bench.send(2500)
        // No more can have been in flight at each drop.
        bench.books.exposure.add((server.connectionCount - 1) * streams)
        #expect(server.connectionCount > 1 && !proxy.heard("bearer"))
      }),
    FaultRow(
      59, "Somebody on the way opens TLS", "Stops, and tells who issued the certificate shown",
      .run(.nothingSent, fault: .elsewhere) { bench in
        try bench.serve(with: { $0.certificate.issuer = .itself })
        bench.books.causes = ["connecting", "untrusted", "issuerCommonName"]
        try bench.send(300)
      }),
    FaultRow(
      98, "A distant, narrow line that stalls", "Waits: a late answer is an answer",
      .run(.exactlyOnce, fault: .elsewhere) { bench in
        // A tenth of 200 ms of round trip, stalls of 3 s every 5 s and a time-out of 30 s.
        let stalls = Distance.Stalls(everyMilliseconds: 500, milliseconds: 300)
        let server = try bench.serve(with: {
          $0.distance = Distance(
            roundTripMilliseconds: 20, bitsPerSecond: 4_000_000, stalls: stalls)
        })
        bench.run.connections = .fixed(2)
        bench.run.timeoutMilliseconds = 3000
        let delivery = try bench.send(10_000)
        #expect(server.connectionCount == 2 && delivery.results.allSatisfy { $0.attempts == 1 })
      }),
  ]

  private static func badCertificate(_ fault: String, _ terms: CertificateTerms) -> FaultCase {
    .run(.nothingSent, fault, fault: .elsewhere) { bench in
      try bench.serve(with: { $0.certificate = terms })
      bench.books.causes = ["connecting", fault]
      try bench.send(300)
    }
  }

  private static func proxy(
    _ name: String, _ behaviour: TestProxy.Behaviour, cause: String = "proxy"
  ) -> FaultCase {
    .run(.nothingSent, name, fault: .elsewhere) { bench in
      try bench.serve()
      let proxy = try TestProxy(.http, behaviour)
      bench.target = try bench.target(through: proxy)
      bench.target?.timeoutMilliseconds = cause == "timeout" ? 200 : 10_000
      bench.books.causes = ["connecting", cause]
      try bench.send(300)
      #expect(!proxy.heard("bearer") && !proxy.heard("authorization"))
    }
  }
}

extension RunBench {
  /// The server, reached through a proxy.
  fileprivate func target(through proxy: TestProxy) throws -> DialTarget {
    var target = try #require(server).target
    target.proxy = ProxySetting(url: proxy.url)
    return target
  }
}

/// A web server of OpenSSL's that speaks TLS 1.1 and nothing newer.
private final class OldServer {
  let target: DialTarget
  private let program: Program

  init(in folder: TemporaryFolder) throws {
    let certificate = "req -x509 -newkey rsa:2048 -nodes -keyout server.pem -out cert.pem -days 2"
    let words = "\(certificate) -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    _ = try run("openssl", words.split(separator: " ").map(String.init), in: folder)
    let server = "s_server -accept 127.0.0.1:0 -tls1_1 -cipher ALL:@SECLEVEL=0 -www"
    program = try Program(
      path: requirePath(of: "openssl"),
      "\(server) -cert cert.pem -key server.pem".split(separator: " ").map(String.init), in: folder)
    var port: UInt16?
    while port == nil, let line = program.readLine() {
      if line.hasPrefix("ACCEPT") { port = line.split(separator: ":").last.flatMap { UInt16($0) } }
    }
    target = DialTarget(
      host: "127.0.0.1", port: try #require(port), additionalRoots: folder.file("cert.pem"))
  }

  deinit { program.send(9) }
}
