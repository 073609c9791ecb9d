import Foundation

/// What libFuzzer calls with every input. The variable `FUZZ_TARGET` names the target.
@_cdecl("LLVMFuzzerTestOneInput")
func checkOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try chosenTarget?.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    stop("\(error)")
  }
  return 0
}

private let chosenTarget: FuzzTarget? = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  let target = FuzzTarget.all.first { $0.name == name }
  if target == nil { stop("there is no target '\(name)'") }
  return target
}()

// libFuzzer keeps an input for which the process aborts.
private func stop(_ message: String) {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  abort()
}
