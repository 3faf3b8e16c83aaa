package org.understudy.wsat;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/** An object that leaves a trace when it is deserialised. */
final class Bomb implements Serializable {
  private static final long serialVersionUID = 1;

  private final String directory;

  Bomb(String directory) {
    this.directory = directory;
  }

  static Path trace(Path directory) {
    return directory.resolve("deserialised");
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    Path path = Path.of(directory);
    Files.createDirectories(path);
    Files.writeString(trace(path), "");
  }
}
