internal import HTTP2
internal import POSIX
internal import PlainText
package import PushEmulator
package import Reporting
internal import Settings
package import WebServer

// Failures to reach or start a server.
extension Failure {
  package static var noEnvironment: Failure {
    Failure(
      "No environment given, and there is no default.",
      fix: "Give --env sandbox, production, auto, emulator or inbox, or --server URL.")
  }

  /// A port on which none of Apple's services listens.
  static func badPort(_ port: Setting<UInt16>) -> Failure {
    Failure(
      "APNs does not listen on port \(port.value) (from \(port.origin.text)).",
      fix: "Give 443, which is the default, or 2197; --server URL names another server.")
  }

  /// A proxy's URL cannot be read. It is not shown, since it may hold a password.
  static func unreadableProxy(_ origin: String) -> Failure {
    Failure(
      "\(origin.printable) is not a proxy's URL.",
      fix: "Give http://HOST:PORT, socks5h://HOST:PORT or another SOCKS proxy's URL. "
        + URLLogin.advice)
  }

  /// `--env auto` is for device tokens.
  package static var broadcastToAuto: Failure {
    Failure(
      "--env auto does not work with a channel: a channel ID does not tell its environment.",
      fix: "Give the environment in which the channel was created: --env sandbox or "
        + "--env production.")
  }

  /// The option allows a single recipient only, and there may be several.
  package static func severalRecipients(option: String) -> Failure {
    Failure(
      "\(option) works with a single recipient only.",
      fix: option == "--apns-id"
        ? "Give one --to TOKEN, or omit \(option): each push then gets an ID of its own."
        : "Give one --to TOKEN, or choose the environment: --env sandbox or --env production.")
  }

  /// A page is not served.
  ///
  /// - Parameters:
  ///   - noun: the name of the page.
  ///   - option: the option with its port.
  package static func website(_ error: WebFailure, _ noun: String, option: String) -> Failure {
    let (what, fix): Sentences =
      switch error {
      case .badAddress(let address): EmulatorError.badAddress(address)
      case .port(let port, let call, let code):
        (
          "The \(noun) cannot listen on port \(port): \(call): \(systemMessage(code)).",
          "Choose another port with \(option), or 0 for any."
        )
      case .outOfDescriptors: noDescriptors
      case .outOfThreads: noThreads
      }
    return Failure(what, fix: fix, .connection, cause: error)
  }

  package static var outOfDescriptors: Failure {
    Failure(noDescriptors.what, fix: noDescriptors.fix, .connection)
  }

  package static var outOfThreads: Failure {
    Failure(noThreads.what, fix: noThreads.fix, .connection)
  }

  /// The emulator did not start.
  package static func emulator(_ error: EmulatorError) -> Failure {
    let (what, fix) = error.sentences
    var exitCode = ExitCode.connection
    if case .address = error { exitCode = .usage }
    return Failure(what, fix: fix, exitCode, cause: error)
  }
}

private typealias Sentences = (what: String, fix: String)

private let noDescriptors: Sentences = (
  "The process has no file descriptors left.", "Raise the limit with 'ulimit -n'."
)
private let noThreads: Sentences = (
  "The system has no threads left.", "Raise the limit with 'ulimit -u'."
)

extension EmulatorError {
  fileprivate var sentences: Sentences {
    switch self {
    case .port(let port, let call, let code):
      (
        "The emulator cannot listen on port \(port): \(call): \(systemMessage(code)).",
        code == EADDRNOTAVAIL
          ? "Name an address of this machine." : "Choose another port, or 0 for any."
      )
    case .address(let address): Self.badAddress(address)
    case .journal(let code):
      ("The journal cannot be opened: \(systemMessage(code)).", "Name a file that can be written.")
    case .certificates(let call, let detail):
      (
        "The emulator's certificates could not be made: \(call): \(detail.printable).",
        "Check the OpenSSL library with 'openssl version'."
      )
    case .outOfDescriptors: noDescriptors
    case .outOfThreads: noThreads
    }
  }

  fileprivate static func badAddress(_ address: String) -> Sentences {
    (
      "'\(address.printable)' is not an IP address.",
      "Write one, such as 0.0.0.0 for every address of this machine."
    )
  }
}
