/** The live state objects of a service, restored from the replica's image when it is newer. */
package org.understudy.container.resource;
