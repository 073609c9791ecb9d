internal import APNS
package import Credentials
internal import PlainText

/// The credentials that a queued run needs. The queue only identifies them; workers have the key or
/// the certificate.
package enum RunCredentials: Hashable {
  case key(TeamID, KeyID)
  /// The common name of a client certificate.
  case certificate(String)

  /// Reads the form in the queue; nil for anything else.
  package init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "key":
      let ids = words[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard ids.count == 2, let team = try? TeamID(ids[0]), let key = try? KeyID(ids[1]) else {
        return nil
      }
      self = .key(team, key)
    case "certificate": self = .certificate(words[1])
    default: return nil
    }
  }

  /// The form in the queue: `key TEAMID/KEYID` or `certificate NAME`.
  package var text: String {
    switch self {
    case .key(let team, let key): "key \(team.text)/\(key.text)"
    case .certificate(let name): "certificate \(name)"
    }
  }

  /// The text for people.
  package var words: String {
    switch self {
    case .key(let team, let key): "the key \(key.text) of team \(team.text)"
    case .certificate(let name): "the certificate '\(name.printable)'"
    }
  }
}

extension OpenedCredentials {
  /// The identification to store with an enqueued run.
  package var forQueue: RunCredentials {
    switch kind {
    case .key(let keyID, let teamID, _): .key(teamID, keyID)
    case .certificate(let certificate, _): .certificate(certificate.facts.nameInQueue)
    }
  }
}

extension CertificateFacts {
  /// The common name, or the SHA-256 of a certificate without one.
  fileprivate var nameInQueue: String {
    commonName ?? hexadecimal(sha256)
  }
}
