/** The durability mapping of a service (Zhang 2006, IV.C.3): which mechanism keeps each of its state objects, and how. */
package org.understudy.durability.mapping;
