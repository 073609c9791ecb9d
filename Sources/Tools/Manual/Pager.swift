internal import POSIX
package import Reporting
package import Settings

/// Shows long texts in a pager on a terminal, and prints them elsewhere.
package struct Pager {
  private let context: Context

  package init(_ context: Context) { self.context = context }

  /// Shows a manual page in `man`; elsewhere prints its source.
  ///
  /// - Parameters:
  ///   - page: the page's source, for `man`.
  ///   - text: the page as plain text, if there is no `man`.
  package func show(page: String, else text: () -> String) -> Report {
    guard context.teller.data.isTerminal else { return Report(parts: [.source(page)]) }
    return shows(page, with: "man", manOptions) ? Report() : show(text())
  }

  /// Shows a text in the pager that `PAGER` names, or else in `less`, which ends at once if the
  /// screen has room for all of it.
  package func show(_ text: String) -> Report {
    guard context.teller.data.isTerminal, let pager, !pager.isEmpty,
      shows(text, with: "sh", ["-c", "export LESS=\"${LESS-FRX}\"; \(pager) <\"$1\"", "fanfare"])
    else { return Report(parts: [.source(text)]) }
    return Report()
  }

  private var pager: String? {
    context.environment["PAGER"]
      ?? Subprocess(named: "less", in: context.environment).map { _ in "less" }
  }

  /// A path with a slash is a file to every `man`; Linux needs an option all the same.
  private var manOptions: [String] {
    #if os(macOS)
    []
    #else
    ["-l"]
    #endif
  }

  /// - Returns: true if the program exists and was shown the text, in a file as its last argument.
  private func shows(_ text: String, with program: String, _ options: [String]) -> Bool {
    guard let path = Subprocess(named: program, in: context.environment)?.path,
      let file = temporaryFile(text)
    else { return false }
    defer { unlink(file) }
    leaveInterruptsToPager()
    let (id, code) = spawn(
      path, [program] + options + [file], reading: STDIN_FILENO, writing: STDOUT_FILENO,
      errors: nil)
    if code != 0 { return false }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let result = exitStatus(status)
    // A pager ended by a signal has still shown the page.
    return result == 0 || result > 128
  }

  /// Ignores interrupts: Ctrl-C is a key in many pagers. The process exits right afterwards.
  private func leaveInterruptsToPager() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGQUIT] { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private func temporaryFile(_ text: String) -> String? {
    var name = Array((context.temporaryFolder + "/fanfare-manual-XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    if descriptor < 0 { return nil }
    let file = Output(descriptor: descriptor, closesDescriptor: true)
    file.write(text)
    file.flush()
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
