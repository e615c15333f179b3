// Brings a file to an S3 store or back with Amazon's own library, as it comes: what the agent is measured against.
//
//	s3-client put FILE BUCKET KEY
//	s3-client get BUCKET KEY FILE
//
// The store and the keys to it are named by AWS's own environment variables.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "s3-client:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, words []string) error {
	if len(words) != 4 {
		return fmt.Errorf("takes: put FILE BUCKET KEY, or get BUCKET KEY FILE")
	}
	found, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return err
	}
	// A server on the loopback has no name for each bucket.
	store := s3.NewFromConfig(found, func(o *s3.Options) { o.UsePathStyle = true })
	manager := transfermanager.New(store)
	switch words[0] {
	case "put":
		return put(ctx, manager, words[1], words[2], words[3])
	case "get":
		return get(ctx, manager, words[1], words[2], words[3])
	default:
		return fmt.Errorf("cannot %s", words[0])
	}
}

func put(ctx context.Context, manager *transfermanager.Client, name, bucket, key string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = manager.UploadObject(ctx, &transfermanager.UploadObjectInput{Bucket: &bucket, Key: &key, Body: file})
	return err
}

func get(ctx context.Context, manager *transfermanager.Client, bucket, key, name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = manager.DownloadObject(ctx, &transfermanager.DownloadObjectInput{Bucket: &bucket, Key: &key, WriterAt: file})
	if err != nil {
		return err
	}
	return file.Close()
}
