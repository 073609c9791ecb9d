// Made by Scripts/embed-page of the files beside it; change those, and run it again.
// swift-format-ignore-file

extension PageFile {
  /// Every file of the page.
  static let all: [PageFile] = [
    PageFile(
      "/", "text/html; charset=utf-8",
      ##"""
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>fanfare inbox</title></head>
<body><p>GET api/v1/pushes</p></body>
</html>

"""##),
  ]
}
