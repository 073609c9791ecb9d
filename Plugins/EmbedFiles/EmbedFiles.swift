import Foundation
import PackagePlugin

/// Has the files that a module carries written into a Swift file of its build, `enum Embedded`.
@main
struct EmbedFiles: BuildToolPlugin {
  /// The folders of each module, from its own.
  private static let folders = [
    "HistoryCommands": ["HistoryPage/Web"], "PushInbox": ["Page"],
    "Settings": ["../../payloads"], "Studio": ["Page"], "WebServer": ["Shared"],
  ]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folders = (Self.folders[target.name] ?? []).map {
      target.directoryURL.appending(path: $0).standardizedFileURL
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "Embedded.swift")
    return [
      .buildCommand(
        displayName: "Embedding files in \(target.name)",
        executable: try context.tool(named: "embed").url,
        arguments: [output.path] + folders.map(\.path),
        // A folder changes when a file is added to it.
        inputFiles: try folders.flatMap { [$0] + (try contents($0)) }, outputFiles: [output])
    ]
  }

  /// The files and folders in a folder, however deep.
  private func contents(_ folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appending(path: $0) }
  }
}
