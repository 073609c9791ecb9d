internal import Diagnosis
package import Reporting
package import Settings

/// Tests what this build needs of its platform: without the network, without credentials, and without
/// the user's files.
package struct SelfTest {
  let options: Settings
  /// The longest wait for a connection.
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

  /// - Throws: `Failure` for options that are about APNs. What is broken is a finding.
  package func run() throws(Failure) -> ExitCode {
    if ofChannels { throw .conflict("--self", "--channels") }
    if let other = Settings.fields.lazy.compactMap({ $0.setting(options)?.origin.text }).first {
      throw .conflict("--self", other)
    }
    let report = SelfReport()
    if asJSON { return context.tell(report.report(findings()), asJSON: true) }
    context.tell(report.head)
    let findings = findings { context.tell(report.step($0)) }
    context.tell(report.conclusion(findings))
    return report.report(findings).exitCode
  }

  /// Looks at every step whose needs are met; one that is broken keeps no other from being tested.
  ///
  /// - Parameter tell: is told each finding as soon as there is one.
  func findings(_ tell: (PlatformFinding) -> Void = { _ in }) -> [PlatformFinding] {
    var look = PlatformLook(context, timeoutMilliseconds: timeout.milliseconds)
    var findings: [PlatformFinding] = []
    for step in PlatformStep.allCases {
      let isMissing = findings.contains { step.needs.contains($0.step) && !$0.isGood }
      let finding = PlatformFinding(step: step, sight: isMissing ? nil : look.sight(of: step))
      findings.append(finding)
      tell(finding)
    }
    return findings
  }
}
