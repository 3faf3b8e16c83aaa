package jakarta.persistence;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** In place of JPA's, which is not on the class path of these tests. */
@Retention(RetentionPolicy.RUNTIME)
public @interface PersistenceContext {}
