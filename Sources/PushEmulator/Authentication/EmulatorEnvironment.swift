/// Which of APNs' two environments the emulator stands for.
public enum EmulatorEnvironment: String, Sendable, Hashable, CaseIterable {
  /// For development builds.
  case sandbox
  /// For TestFlight and the App Store.
  case production
}
