package org.understudy.durability.compiler.classes;

/** The names of generated classes. */
public final class GeneratedNames {
  private GeneratedNames() {}

  /**
   * The proxy of a state object.
   *
   * @param service the generated service
   * @param object the name of the object in the mapping
   */
  public static String proxy(String service, String object) {
    return service + Character.toUpperCase(object.charAt(0)) + object.substring(1) + "Proxy";
  }
}
