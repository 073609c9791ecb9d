public import Foundation

/// The project's own folder: the nearest one above this file that holds `Package.swift`.
public let projectFolder: URL = {
  var folder = URL(filePath: #filePath).deletingLastPathComponent()
  while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
    folder = folder.deletingLastPathComponent()
  }
  return folder
}()
