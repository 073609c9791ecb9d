package import Credentials
internal import POSIX
internal import PlainText
internal import Synchronization

/// Asks for passwords on the terminal without echo, once for each file.
package final class PasswordPrompt: Sendable {
  private let answers = Mutex<[String: SecretBytes]>([:])
  private let terminal: Terminal?

  /// - Parameter terminal: where it asks; nil if it cannot.
  package init(on terminal: Terminal?) { self.terminal = terminal }

  /// True if there is a terminal to ask on.
  package var isPossible: Bool { terminal?.canAsk ?? false }

  /// Asks for the password of a file, three times at most, as `ssh` does.
  ///
  /// - Parameters:
  ///   - name: the file's name in the prompt.
  ///   - refusal: the error to throw when no password is given.
  ///   - isWrong: whether an error means that the password was wrong.
  ///   - body: opens the file, or throws.
  package func open<Content, Refusal>(
    _ name: String, _ signals: Signals, refusal: Refusal, isWrong: (Refusal) -> Bool,
    with body: (SecretBytes) throws(Refusal) -> Content
  ) throws(Refusal) -> Content {
    var (last, hint) = (refusal, "")
    for _ in 0..<3 {
      guard let password = password(for: name, hint, signals) else { break }
      do throws(Refusal) {
        return try body(password)
      } catch {
        last = error
        answers.withLock { _ = $0.removeValue(forKey: name) }
        if !isWrong(error) { break }
      }
      hint = "That does not open it. "
    }
    throw last
  }

  private func password(for name: String, _ hint: String, _ signals: Signals) -> SecretBytes? {
    if let answer = answers.withLock({ $0[name] }) { return answer }
    guard let terminal = terminal.flatMap(SilentTerminal.init) else { return nil }
    signals.end(after: terminal.restore)
    terminal.write("\(hint)Password of \(name.printable): ")
    let answer = terminal.readLine()
    terminal.restore()
    guard let answer, answer.count > 0 else { return nil }
    answers.withLock { $0[name] = answer }
    return answer
  }
}

/// The terminal of the process, with its echo off until `restore` or the end of this object.
private final class SilentTerminal: Sendable {
  private let descriptor: Int32
  private let saved: Mutex<termios?>

  /// Nil when there is no terminal, or its echo cannot be turned off.
  init?(_ terminal: Terminal) {
    guard let descriptor = terminal.open() else { return nil }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    saved = Mutex(settings)
    settings.silence()
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  deinit {
    restore()
    close(descriptor)
  }

  /// Restores the terminal, once. May be called on any thread.
  func restore() {
    saved.withLock { saved in
      guard var settings = saved else { return }
      tcsetattr(descriptor, TCSAFLUSH, &settings)
      saved = nil
      write("\n")
    }
  }

  func write(_ text: String) { type(text, on: descriptor) }

  /// Reads a line; nil when the input ends before its end.
  func readLine() -> SecretBytes? {
    var isWhole = false
    let line = SecretBytes(capacity: 1024) { buffer in
      var count = 0
      while count < buffer.count {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, 1)
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        isWhole = buffer[count] == UInt8(ascii: "\n")
        if isWhole { break }
        count += 1
      }
      return count
    }
    return isWhole ? line : nil
  }
}

#if canImport(Darwin)
/// The value that disables a key.
private let disabledKey: UInt8 = 255
/// The keys that stop the process. On macOS VDSUSP (Ctrl-Y) does, when the program reads it.
private let stoppingKeys = [VQUIT, VSUSP, VDSUSP]
#else
/// The value that disables a key.
private let disabledKey: UInt8 = 0
/// The keys that stop the process.
private let stoppingKeys = [VQUIT, VSUSP]
#endif

extension termios {
  /// Turns off echo and the keys that stop the process. Ctrl-C still ends it, and then the terminal
  /// is restored.
  fileprivate mutating func silence() {
    c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
    withUnsafeMutableBytes(of: &c_cc) { keys in
      for key in stoppingKeys { keys[Int(key)] = disabledKey }
    }
  }
}
