import APNS
import Foundation
import HTTP2
import PushEmulator
import SendingSupport
import Testing

import class TestSupport.TestProxy

@testable import Diagnosis

@Suite("A diagnosis of the network", .timeLimit(.minutes(15)))
struct NetworkDiagnosisTests {
  @Test("ends with a name that nobody knows")
  func unknownName() throws {
    var bench = try DiagnosisBench()
    bench.plan.target.host = "push.invalid"
    let report = try bench.examine()
    #expect(report.broken == .dns && report.words(.dns).contains("lookUpFailed"))
  }

  @Test("waits no longer than it may for the resolver")
  func slowResolver() throws {
    var bench = try DiagnosisBench()
    let wake = try #require(Wake())
    bench.plan.target.timeoutMilliseconds = 50
    bench.plan.network.addresses = { _ in
      wake.wait(milliseconds: 20_000, keepsCalls: true)
      return .success([])
    }
    let report = try bench.examine()
    wake.call()
    #expect(report.broken == .dns && report.words(.dns).contains("lookUpTimedOut(50)"))
  }

  @Test("ends with a port that nobody listens on")
  func closedPort() throws {
    var bench = try DiagnosisBench()
    // The port of a listener that is gone again.
    bench.plan.target.port = try Listener().port
    let report = try bench.examine()
    #expect(report.broken == .tcp && report.words(.tcp).contains("refused"))
    #expect(report[.addressFamilies] == .ok)
  }

  /// A plan for Apple's production on a network that a test makes up; it ends before the dial.
  private func apple(
    _ addresses: [String] = ["192.0.2.1", "2001:db8::1"],
    _ connect: @escaping @Sendable (HostAddress, UInt16) -> TCPProbe.Failure?
  ) throws -> DiagnosisReport {
    let network = DiagnosisNetwork.made(addresses, connect: connect)
    let plan = DiagnosisPlan(
      environment: .production, target: DialTarget(host: "api.push.apple.com"), network: network)
    return try within {
      // Not to the end: there is no such server to dial.
      var knowledge = DiagnosisKnowledge(plan)
      return DiagnosisReport(
        DiagnosisCheck.all.prefix(6).map { $0.find(&knowledge) })
    }
  }

  @Test("finds the other port of APNs when one is blocked")
  func otherPort() throws {
    let report = try apple { $1 == 443 ? .timedOut : nil }
    #expect(report[.addressFamilies] == .ok && report[.tcp] == .broken)
    guard case .ports(let ports)? = report.evidence(.tcp) else { return }
    #expect(
      ports == [
        PortReach(port: 443, outcome: .silent), PortReach(port: 2197, outcome: .connected(3)),
      ])
    let reverse = try apple { $1 == 2197 ? .system(ECONNREFUSED) : nil }
    #expect(reverse[.tcp] == .ok && reverse.words(.tcp).contains("refused"))
  }

  @Test("takes note of an IPv6 black hole, and not of a machine without IPv6")
  func blackHole() throws {
    let hole = try apple { address, _ in address.family == .v6 ? .timedOut : nil }
    #expect(hole[.addressFamilies] == .warning && hole[.tcp] == .ok)
    let none = try apple { address, _ in address.family == .v6 ? .system(ENETUNREACH) : nil }
    #expect(none[.addressFamilies] == .ok && none[.tcp] == .ok)
    let dark = try apple { _, _ in .timedOut }
    #expect(dark[.addressFamilies] == .broken)
    let broken = try apple { _, _ in .system(EPERM) }
    #expect(broken.words(.addressFamilies).contains("failed(\(EPERM))"))
  }

  @Test("tries a few addresses of a family, and tells of all")
  func manyAddresses() throws {
    let many = (1...9).map { "192.0.2.\($0)" }
    let report = try apple(many) { address, _ in
      address.text == "192.0.2.2" ? nil : .timedOut
    }
    guard case .addresses(let told)? = report.evidence(.dns) else { return }
    #expect(told.count == 9 && report[.tcp] == .ok)
  }

  // MARK: Proxies

  @Test("goes through a proxy, for which the direct way does not matter")
  func proxy() throws {
    var bench = try DiagnosisBench { $0.certificate.names.append("api.push.apple.com") }
    let proxy = try TestProxy(routes: ["api.push.apple.com:443": bench.emulator.port])
    bench.standInForApple(proxy)
    bench.plan.network = .nameless
    let report = try bench.examine()
    #expect(report.broken == nil && report[.dns] == .warning && report[.proxy] == .ok)
    #expect(report[.addressFamilies] == .skipped && report[.tcp] == .skipped)
    #expect(report[.push] == .ok && proxy.requests.count == 1)
    #expect(!proxy.heard("bearer"))
    bench.plan.network = .made(["192.0.2.1"]) { _, _ in .timedOut }
    let walled = try bench.examine()
    #expect(walled.steps(.warning) == [.addressFamilies, .tcp, .tls])
  }

  @Test("names who opens TLS in front of Apple")
  func interception() throws {
    var bench = try DiagnosisBench { $0.certificate.names.append("api.push.apple.com") }
    let proxy = try TestProxy(routes: ["api.push.apple.com:443": bench.emulator.port])
    bench.standInForApple(proxy)
    bench.plan.network = .nameless
    let report = try bench.examine()
    guard case .foreignRoot(_, let root)? = report.evidence(.tls) else {
      Issue.record("no interception: \(report.words(.tls))")
      return
    }
    #expect(report[.tls] == .warning && root.hasPrefix("fanfare emulator authority"))
    bench.plan.target.additionalRoots = nil
    let untrusted = try bench.examine()
    #expect(untrusted.broken == .tls)
    #expect(untrusted.words(.tls).contains("fanfare emulator authority"))
  }

  @Test("finds it odd that Apple takes a false device token")
  func oddAnswer() throws {
    var bench = try DiagnosisBench {
      $0.certificate.names.append("api.push.apple.com")
      $0.answer = nil
    }
    let proxy = try TestProxy(routes: ["api.push.apple.com:443": bench.emulator.port])
    bench.standInForApple(proxy)
    bench.plan.network = .nameless
    #expect(try bench.examine()[.push] == .warning)
  }

  static let failures: [(TestProxy.Kind, TestProxy.Behaviour, says: String)] = [
    (.http, .refuses(status: 407), "407"), (.http, .refuses(status: 502), "502"),
    (.http, .keepsSilent, "timeout"), (.http, .saysGarbage, "Layer.proxy"),
    (.http, .hangsUp, "aborted"), (.socks5, .refuses(status: 502), "SOCKS5"),
    (.socks5, .hangsUp, "closed"), (.socks5, .keepsSilent, "timeout"),
  ]

  @Test("stops at a proxy that does not let it through", arguments: failures)
  func badProxy(_ row: (TestProxy.Kind, TestProxy.Behaviour, says: String)) throws {
    var bench = try DiagnosisBench()
    let proxy = try TestProxy(row.0, row.1)
    bench.standInForApple(proxy)
    bench.plan.network = .nameless
    if case .keepsSilent = row.1 { bench.plan.target.timeoutMilliseconds = 1000 }
    let report = try bench.examine()
    #expect(report.broken == .proxy)
    #expect(report.words(.proxy).contains(row.says), "\(report.words(.proxy))")
  }

  @Test("stops at a tunnel that is dropped in the middle of TLS, and fakes no verdict on the rest")
  func droppedTunnel() throws {
    var bench = try DiagnosisBench { $0.certificate.names.append("api.push.apple.com") }
    let proxy = try TestProxy(
      .http, .drops(afterBytes: 1), routes: ["api.push.apple.com:443": bench.emulator.port])
    bench.standInForApple(proxy)
    bench.plan.network = .nameless
    let report = try bench.examine()
    #expect(report.broken.map { (7...10).contains($0.number) } == true, "\(report)")
  }

  @Test(
    "stops at a proxy that is not there, and at one whose name nobody knows",
    arguments: ["http://127.0.0.1:1", "http://proxy.invalid:3128", "socks5h://proxy.invalid:1080"])
  func noProxy(_ url: String) throws {
    var bench = try DiagnosisBench()
    bench.plan.target.proxy = ProxySetting(url: url, origin: "HTTPS_PROXY")
    let report = try bench.examine()
    #expect(report.broken == .proxy, "\(report.words(.proxy))")
  }

  @Test("says which proxy is not used for a host")
  func exception() throws {
    var bench = try DiagnosisBench()
    bench.plan.target.proxy = ProxySetting(url: "http://p.invalid:1", exceptions: "127.0.0.1")
    let report = try bench.examine()
    #expect(report.verdict == .ok && report.words(.proxy).contains("p.invalid"))
  }
}
