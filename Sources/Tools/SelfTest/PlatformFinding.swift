internal import Diagnosis
internal import JSONText
internal import Reporting

extension PlatformStep {
  /// What people call it.
  var name: String {
    switch self {
    case .openSSL: "OpenSSL"
    case .sqlite: "SQLite"
    case .roots: "authorities"
    case .stack: "thread stack"
    case .descriptors: "file descriptors"
    case .temporaryFolder: "temporary folder"
    case .push: "push over HTTP/2"
    case .certificates: "bad certificates"
    case .proxy: "proxy tunnel"
    case .libcurl, .nghttp2, .clocks, .randomness, .history: rawValue
    }
  }
}

/// What was found at a step.
struct PlatformFinding: Sendable {
  let step: PlatformStep
  /// Nil when a step that it needs is broken, or was not reached.
  let sight: PlatformSight?

  var verdict: DiagnosisVerdict { sight?.verdict ?? .notReached }

  /// Whether steps that need it prove something.
  var isGood: Bool { [.ok, .warning].contains(verdict) }
}

/// What a look at the platform shows.
struct PlatformSight: Sendable {
  let verdict: DiagnosisVerdict
  let text: StepText

  static func ok(_ sentence: String, _ evidence: JSON = [:]) -> PlatformSight {
    PlatformSight(verdict: .ok, text: StepText(sentence, evidence))
  }

  static func warning(_ sentence: String, fix: String, _ evidence: JSON = [:]) -> PlatformSight {
    PlatformSight(verdict: .warning, text: StepText(sentence, fix: fix, evidence))
  }

  static func broken(_ sentence: String, fix: String, _ evidence: JSON = [:]) -> PlatformSight {
    PlatformSight(verdict: .broken, text: StepText(sentence, fix: fix, evidence))
  }

  static func broken(_ fault: some Described, _ evidence: JSON = [:]) -> PlatformSight {
    PlatformSight(verdict: .broken, text: StepText(fault, evidence))
  }
}
