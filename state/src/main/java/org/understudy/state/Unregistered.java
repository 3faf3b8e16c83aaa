package org.understudy.state;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Explains why an object of an undeclared class cannot be captured, and what to use instead. */
final class Unregistered {
  /** Parts of the names of classes that libraries generate at run time: Hibernate, Javassist, CGLIB, Byte Buddy, Weld, OpenWebBeans. */
  private static final List<String> GENERATED =
      List.of("HibernateProxy", "_$$_", "$$EnhancerBy", "$$SpringCGLIB$$", "$ByteBuddy$", "$Proxy$_$$_", "$$Owb");

  private Unregistered() {}

  /** Returns a sentence. */
  static String reason(Class<?> type) {
    String name = type.getTypeName();
    boolean collection =
        Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || Map.Entry.class.isAssignableFrom(type);
    if (Proxy.isProxyClass(type) || GENERATED.stream().anyMatch(name::contains)) {
      return name + " is a class that a library has generated, for example of a proxy. If a container injects it, mark the "
          + "field transient. Otherwise keep the object itself in the state: of an entity of JPA, a detached copy.";
    }
    if (type.isSynthetic() || type.isHidden() || (type.isAnonymousClass() && !KnownTypes.isOfJdk(type))) {
      return name + " is a lambda or an anonymous class, which cannot be captured. Use a named class or mark the field transient.";
    }
    if (!KnownTypes.isOfJdk(type)) {
      return collection ? ofOthers(type) : name + " is not among the declared types. Name it in @ReplicatedState(types = …).";
    }
    if (!collection) {
      return name + " is a class of the JDK that cannot be captured. Keep what is needed in another type.";
    }
    return name.contains("$")
        ? "a " + name + " is a view of another collection, or a wrapper. Keep a copy, for example by List.copyOf, or use a collection that "
            + "is captured; docs/services.md lists them."
        : name + " cannot be captured. Use a collection that is; docs/services.md lists them.";
  }

  private static String ofOthers(Class<?> type) {
    String name = type.getTypeName();
    Class<?> above = type.getSuperclass();
    while (above != null && !KnownTypes.isOfJdk(above)) {
      above = above.getSuperclass();
    }
    return above == null || above == Object.class
        ? name + " is not among the declared types. Name it in @ReplicatedState(types = …)."
        : name + " is a collection of the application or of a library and extends " + above.getName() + ", whose fields cannot be "
            + "captured. Keep a copy in a collection of java.util, for example an ArrayList.";
  }
}
