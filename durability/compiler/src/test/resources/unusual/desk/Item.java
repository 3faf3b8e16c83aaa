package desk;

import java.io.IOException;

/** A property in a superclass that is not public, and one that throws. */
public class Item extends Named {
  public String getText() throws IOException {
    throw new IOException();
  }
}
