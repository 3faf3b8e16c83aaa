package org.understudy.container.service;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.understudy.container.attachment.ServiceResources;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.api.ResourceHome;

/** Injects the {@link ResourceHome} into a service object that the application has created. */
public final class HomeInjection {
  private HomeInjection() {}

  /**
   * Sets every field of type {@link ResourceHome} that is null, and connects every {@link ServiceResources} in a field.
   *
   * @return whether there is such a field
   * @throws ConfigurationException when a field holds the home of another service or another implementation
   */
  public static boolean into(Object bean, ResourceHome<Object> home) throws ConfigurationException {
    boolean found = false;
    for (Class<?> type = bean.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (ResourceHome.class.isAssignableFrom(field.getType()) && !Modifier.isStatic(field.getModifiers())) {
          inject(bean, field, home);
          found = true;
        }
      }
    }
    return found;
  }

  private static void inject(Object bean, Field field, ResourceHome<Object> home) throws ConfigurationException {
    try {
      field.setAccessible(true);
      Object present = field.get(bean);
      if (present == null && !Modifier.isFinal(field.getModifiers())) {
        field.set(bean, home);
      } else if (!(present instanceof ServiceResources<?> resources) || !bind(resources, home)) {
        throw ReplicableService.refused(
            bean.getClass(),
            "its field " + field.getName() + " holds neither null nor a ServiceResources of its own, so it cannot be connected "
                + "with the group");
      }
    } catch (IllegalAccessException | RuntimeException e) {
      throw ReplicableService.refused(bean.getClass(), "its field " + field.getName() + " cannot be set: " + e);
    }
  }

  /** The class of the state is checked where the service uses it, as with every generic type. */
  @SuppressWarnings("unchecked")
  private static boolean bind(ServiceResources<?> resources, ResourceHome<Object> home) {
    return ((ServiceResources<Object>) resources).bind(home);
  }
}
