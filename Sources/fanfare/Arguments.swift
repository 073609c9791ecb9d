internal import CProcess

/// What the command line says behind the name of the program.
enum Arguments {
  /// The words; nil when they cannot be found. Swift itself finds none where there is no `/proc`, or
  /// where a library has moved the environment.
  static var words: [String]? {
    let count = fanfare_argument_count()
    if count > 0 { return (1..<max(1, count)).map { String(cString: fanfare_argument($0)) } }
    return CommandLine.argc > 0 ? Array(CommandLine.arguments.dropFirst()) : nil
  }
}
