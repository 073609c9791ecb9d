internal import Diagnosis
internal import HTTP2
package import Reporting
internal import SQLHistory
package import Settings

/// Tests fanfare on this machine, without the network, credentials or the user's files.
package struct SelfTest {
  let options: Settings
  /// The maximum wait for a connection.
  let timeout: TimeLength
  let ofChannels: Bool
  let asJSON: Bool
  let context: Context

  package init(
    options: Settings, timeout: TimeLength, ofChannels: Bool, asJSON: Bool, context: Context
  ) {
    (self.options, self.timeout, self.ofChannels) = (options, timeout, ofChannels)
    (self.asJSON, self.context) = (asJSON, context)
  }

  /// - Throws: `Failure` for options about APNs. A broken step is a finding.
  package func run() throws(Failure) -> Report {
    if ofChannels { throw .conflict("--self", "--channels") }
    if let other = Settings.fields.lazy.compactMap({ $0.setting(options)?.origin.text }).first {
      throw .conflict("--self", other)
    }
    let report = SelfTestReport()
    if asJSON { return report.report(findings()).asJSON(true) }
    context.teller.show(report.head)
    let findings = findings { context.teller.show(report.step($0)) }
    return Report(parts: report.conclusion(findings), exitCode: report.report(findings).exitCode)
  }

  /// Takes every step whose prerequisites hold; a broken step does not stop unrelated ones.
  ///
  /// - Parameter tell: called with each finding as soon as it is known.
  func findings(_ tell: (SelfTestFinding) -> Void = { _ in }) -> [SelfTestFinding] {
    var findings: [SelfTestFinding] = []
    for step in SelfTestStep.allCases {
      let good = findings.filter { $0.outcome.map { $0.verdict != .broken } ?? false }.map(\.step)
      let isReached = Self.needs[step, default: []].allSatisfy(good.contains)
      findings.append((step, isReached ? outcome(of: step) : nil))
      findings.last.map(tell)
    }
    return findings
  }

  /// The prerequisites of steps. Two copies of OpenSSL can even crash a process.
  private static let needs: [SelfTestStep: [SelfTestStep]] = [
    .push: [.libcurl, .openSSL, .nghttp2], .certificates: [.push],
  ]

  private func outcome(of step: SelfTestStep) -> StepOutcome {
    let trials = LoopbackTrials(context, timeoutMilliseconds: timeout.milliseconds)
    do throws(Failure) {
      return switch step {
      case .libcurl: CurlFacts.loaded.outcome
      case .openSSL: .openSSL(LibraryFacts.openSSL, .loaded)
      case .nghttp2: LibraryVersions("nghttp2", LibraryFacts.nghttp2).outcome
      case .sqlite: .sqlite(SQLiteFacts.versions, isThreadSafe: SQLiteFacts.isThreadSafe)
      case .push: try trials.push().outcome
      case .certificates: try trials.badCertificates().outcome
      }
    } catch {
      return StepOutcome(verdict: .broken, text: StepText(error))
    }
  }
}
