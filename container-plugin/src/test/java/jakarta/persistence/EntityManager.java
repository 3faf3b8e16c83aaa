package jakarta.persistence;

/** In place of JPA's, which is not on the class path of these tests. */
public interface EntityManager {}
