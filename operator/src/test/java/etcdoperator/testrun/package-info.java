/** What a run of the tests tells about itself, and the marks that say in which run a test belongs. */
package etcdoperator.testrun;
