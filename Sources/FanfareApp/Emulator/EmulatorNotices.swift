package import PushEmulator

extension Context {
  /// Tells on standard error what keeps an emulator's clients from being served.
  package func noticing(_ configuration: inout EmulatorConfiguration) {
    configuration.notice = { notice in warn([.warning(notice.text, notice.fix)]) }
  }
}
